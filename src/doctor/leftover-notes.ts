import { join } from 'node:path'
import { findLeftovers } from '../worktree/leftovers.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorNote } from './doctor-problem.ts'

/** Which files in kotef's own folders are no longer needed? */
export async function leftoverNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const { own, sessions } = layoutOf(workspace)
  const { halfWritten, ownWrites, ended } = await findLeftovers(workspace)
  return [
    ...leftoverNote(halfWritten, `half-written in ${own}`),
    ...leftoverNote(ownWrites, `of files that kotef wrote more than 30 days ago in ${join(own, 'own-writes')}`),
    ...leftoverNote(ended, `of sessions that ended more than 30 days ago in ${join(sessions, 'ended')}`),
  ]
}

function leftoverNote(paths: readonly string[], which: string): DoctorNote[] {
  if (paths.length === 0) return []
  const message = `${paths.length === 1 ? '1 file is' : `${paths.length} files are`} left ${which}`
  return [{ message, hint: 'Remove them: `kotef doctor --fix`', repair: { kind: 'leftovers', at: paths } }]
}
