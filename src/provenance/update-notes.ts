import { toKotefError } from '../findings/failure.ts'
import { catchUpLedger } from '../commits/catch-up.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { annotateCommits } from './annotate-commits.ts'

type NotesUpdate = { readonly notify: (line: string) => void }

/** Records the newest writes and writes missing notes; reports what may be missing. True when it wrote a note. */
export async function updateNotes(workspace: Workspace, { notify }: NotesUpdate): Promise<boolean> {
  const { isWatched, behind } = await catchUpLedger(workspace)
  if (behind !== null) notify(`The newest writes may be missing. ${behind}`)
  return annotateCommits(workspace, { isWatched }).catch((thrown: unknown) => {
    notify(`The newest commits have no notes yet. ${toKotefError(thrown).message}`)
    return false
  })
}
