import { join } from 'node:path'
import { type GitStatusEntry, gitStatus } from '../git/status.ts'
import { readSignature } from '../io/files/file-state.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Paths that are not on disk as they were last seen, by git's status: what no event need have told of. */
export async function divergentPaths(workspace: Workspace, state: WorktreeState): Promise<string[]> {
  return divergentAmong(workspace, state, await workspace.git.ask(gitStatus))
}

/** As `strayPaths`, for a status that was asked for already. */
export async function divergentAmong(
  workspace: Workspace,
  state: WorktreeState,
  status: readonly GitStatusEntry[],
): Promise<string[]> {
  const dirty = status.filter(it => it.kind !== 'staged').map(it => it.path)
  const candidates = new Set([...dirty, ...state.paths.keys()])
  const divergent: string[] = []
  for (const path of candidates) {
    const known = state.paths.get(path)
    const signature = await readSignature(join(workspace.root, path))
    if (state.unreadable.has(path) && state.unreadable.get(path) === signature) continue
    if (!known || known.signature !== signature || (signature === null && known.content !== null)) divergent.push(path)
  }
  return divergent
}
