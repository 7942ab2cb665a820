import { join } from 'node:path'
import { type GitStatusEntry, gitStatus } from '../git/status.ts'
import { readSignature } from '../io/files/file-state.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The paths whose file differs from the last known state, found by git's status: an event may have been lost. */
export async function divergentPaths(workspace: Workspace, state: WorktreeState): Promise<string[]> {
  return divergentAmong(workspace, state, await workspace.git.ask(gitStatus))
}

/** As `divergentPaths`, for a status that git has printed already. */
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
