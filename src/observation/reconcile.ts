import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GitStatusEntry } from '../git/status.ts'
import { goneFolders, readSignature } from '../io/files/file-state.ts'
import { fullStatus } from './full-status.ts'
import { unwatchedByGit } from './flagged-files.ts'
import { mapSome } from './turns.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The paths whose file differs from the last known state, found by git's status: an event may have been lost. */
export async function divergentPaths(workspace: Workspace, state: WorktreeState): Promise<string[]> {
  return divergentAmong(workspace, state, await fullStatus(workspace, state))
}

/** As `divergentPaths`, for a status that git has printed already. */
export async function divergentAmong(
  workspace: Workspace,
  state: WorktreeState,
  status: readonly GitStatusEntry[],
): Promise<string[]> {
  const dirty = status.filter(it => it.kind !== 'staged').map(it => it.path)
  const candidates = new Set([...dirty, ...state.paths.keys(), ...(await unwatchedByGit(workspace, state))])
  const isFolderGone = goneFolders(workspace.root)
  const isDivergent = async (path: string): Promise<boolean> => {
    const signature = (await isFolderGone(path)) ? null : await readSignature(join(workspace.root, path))
    const known = state.paths.get(path)
    if (state.unreadable.has(path) && state.unreadable.get(path) === signature) return false
    return !known || known.signature !== signature || (signature === null && known.content !== null)
  }
  const paths = [...candidates]
  await nextTurn()
  const found = await mapSome(paths, isDivergent)
  return paths.filter((_, n) => found[n])
}
