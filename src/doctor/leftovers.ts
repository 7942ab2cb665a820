import { join } from 'node:path'
import { leftoversOf } from '../workspace/leftovers.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Note } from './complaint.ts'

/** What kotef left in its own folders, and nobody will need again. */
export async function leftoverNotes(workspace: Workspace): Promise<Note[]> {
  const { own, sessions } = placesOf(workspace)
  const { halfWritten, ownWrites, ended } = await leftoversOf(workspace)
  return [
    ...noteOf(halfWritten, `half-written in ${own}`),
    ...noteOf(ownWrites, `of what kotef wrote more than 30 days ago in ${join(own, 'own-writes')}`),
    ...noteOf(ended, `of sessions that ended more than 30 days ago in ${join(sessions, 'ended')}`),
  ]
}

function noteOf(paths: readonly string[], which: string): Note[] {
  if (paths.length === 0) return []
  const what = `${paths.length === 1 ? '1 file is' : `${paths.length} files are`} left ${which}`
  return [{ what, fix: 'Remove them: `kotef doctor --fix`', repair: { kind: 'leftovers', at: paths } }]
}
