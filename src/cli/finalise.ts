import { KotefError } from '../report/failure.ts'
import { finalise } from '../provenance/finalise.ts'
import { catchUp } from '../workspace/catch-up.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef finalise`: notes on each new commit whom its lines are from. The daemon starts it when HEAD has moved. */
export const run: Run = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const { isWatched, behind } = await catchUp(workspace)
  // Who notes without the newest writes would call their lines nobody's.
  if (behind !== null) throw new KotefError('daemon-failed', `The newest commits have no notes yet. ${behind}`)
  await finalise(workspace, { isWatched })
  return { text: '', json: { finalised: true } }
}
