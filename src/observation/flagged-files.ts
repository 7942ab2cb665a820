import type { GitStatusEntry } from '../git/status.ts'
import { type GitEvidence, isSparseCheckout } from '../git-evidence/git-evidence.ts'
import type { FileState } from '../io/files/file-state.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { WorktreeState } from './worktree-state.ts'

// Git's status does not look at a file whose entry in the index has a flag: kotef does.

type SeenFile = {
  readonly path: string
  readonly file: FileState | null
  readonly git: GitStatusEntry['kind'] | undefined
}

/** How git would see a path without the flag that its entry in the index has. */
export async function statusWithoutFlag(
  { state, isSparse, filteredOid }: Pick<GitEvidence, 'state' | 'isSparse' | 'filteredOid'>,
  { path, file, git }: SeenFile,
): Promise<SeenFile['git']> {
  const flag = state.index.flagOf(path)
  if (flag === null) return git
  if (file === null) return flag === 'skip-worktree' && (await isSparse()) ? git : 'dirty'
  const entry = state.index.get(path)
  if (file.mode !== entry?.mode) return 'dirty'
  const isSame = file.oid === entry.oid || (await filteredOid(path, file.bytes)) === entry.oid
  return isSame ? git : 'dirty'
}

/** The paths whose files git does not look at, apart from those that a sparse checkout leaves out of the worktree. */
export async function unwatchedByGit(workspace: Workspace, { index }: Pick<WorktreeState, 'index'>): Promise<string[]> {
  const skipped = index.flaggedPaths('skip-worktree')
  const isLeftOut = skipped.length > 0 && (await isSparseCheckout(workspace))
  return [...index.flaggedPaths('assume-unchanged'), ...(isLeftOut ? [] : skipped)]
}
