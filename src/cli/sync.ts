import { remoteOf } from '../provenance/remote.ts'
import { sync } from '../provenance/sync.ts'
import { printable } from '../report/printable.ts'
import { openRepository } from '../workspace/workspace.ts'
import { bringUpToDate } from './blame.ts'
import { firstArgument } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef sync`: this clone and a remote hold the same notes. */
export const run: Run = async call => {
  const workspace = await openRepository(call.cwd)
  const remote = await remoteOf(workspace, firstArgument(call))
  await bringUpToDate(workspace, call)
  const synced = await sync(workspace, remote)
  const { fetched, pushed } = synced
  const what = [fetched ? 'got what was new there' : '', pushed ? 'gave what was new here' : ''].filter(it => it !== '')
  return { text: `${printable(remote)}: ${what.join(', ') || 'nothing is new'}`, json: synced }
}
