import { join } from 'node:path'
import { lockHolder, lockState } from '../io/files/lock.ts'
import { shellQuoted } from '../text/printable.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem } from './doctor-problem.ts'

/** Which locks of this worktree have a dead or unknown holder? kotef takes over such a lock when it needs it. */
export async function checkLocks(workspace: Workspace): Promise<DoctorProblem[]> {
  const { own } = layoutOf(workspace)
  const names = (await workspace.files.list(own)).filter(it => it.endsWith('.lock')).sort()
  return (await Promise.all(names.map(it => checkLock(join(own, it))))).flat()
}

async function checkLock(path: string): Promise<DoctorProblem[]> {
  const state = await lockState(path)
  const wayOut = { hint: `Remove it: \`rm ${shellQuoted(path)}\``, repair: { kind: 'lock', at: [path] } } as const
  if (state === 'damaged') return [{ message: `${path} does not name its holder`, ...wayOut }]
  const [pid] = (await lockHolder(path)).split(' ')
  return state === 'dead' ? [{ message: `${path} is held by process ${pid}, which is gone`, ...wayOut }] : []
}
