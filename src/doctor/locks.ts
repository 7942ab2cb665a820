import { join } from 'node:path'
import { holderOf, lockState } from '../io/lock.ts'
import { quoted } from '../report/printable.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Complaint } from './complaint.ts'

/** Names the locks of this worktree that nobody holds any more. Kotef takes over such a lock when it needs it. */
export async function diagnoseLocks(workspace: Workspace): Promise<Complaint[]> {
  const { own } = placesOf(workspace)
  const names = (await workspace.files.list(own)).filter(it => it.endsWith('.lock')).sort()
  return (await Promise.all(names.map(it => complaintsOf(join(own, it))))).flat()
}

async function complaintsOf(path: string): Promise<Complaint[]> {
  const state = await lockState(path)
  const wayOut = { fix: `Remove it: \`rm ${quoted(path)}\``, repair: { kind: 'lock', at: [path] } } as const
  if (state === 'damaged') return [{ what: `${path} names no holder`, ...wayOut }]
  const [pid] = (await holderOf(path)).split(' ')
  return state === 'dead' ? [{ what: `${path} is held by process ${pid}, which is gone`, ...wayOut }] : []
}
