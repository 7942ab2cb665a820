import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import { gitIn } from '../io/git/git.ts'
import { blame, type BlameRequest, startBlame } from '../provenance/blame.ts'
import { prefetchNotes } from '../provenance/notes.ts'
import { updateNotes } from '../provenance/annotate-commits.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { resolveFile, repositoryPath } from './repository-path.ts'
import type { VerbCall } from './verb.ts'

/**
 * Blames a file as a user names it. `git blame` takes longest, so it is started first, or by `boot/prefetch-blame.ts`
 * before this module was loaded.
 */
export async function blameFile(call: VerbCall, options: BlameRequest) {
  const file = await resolveFile(call.cwd, options.file)
  const start = () => startBlame(gitIn(call.cwd), { ...options, file })
  const pendingBlame = call.prefetchedBlame?.then(it => it ?? start()) ?? start()
  // `blame` awaits it. If a step before that throws, a second failure must not end the process as unhandled.
  pendingBlame.catch(() => {})
  const workspace = await openWorkspace(call.cwd)
  const path = repositoryPath(workspace.root, file)
  if (path === '' || /^(\.\.|\.git)(\/|$)/.test(path)) {
    throw new KotefError('usage', `${printable(options.file)} is not a file of this repository.`)
  }
  const notesWritten = updateNotes(workspace, call)
  using prefetchedNotes = options.ranges.length === 0 ? prefetchNotes(workspace, { ...options, file }) : null
  const lines = await blame(workspace, { ...options, file, path, pendingBlame, notesWritten, prefetchedNotes })
  return { workspace, path, lines }
}
