import { join } from 'node:path'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import { goneFolders, readSignature } from '../../io/files/file-state.ts'
import { fullStatus } from './full-status.ts'
import { changedInDoubt, unwatchedByGit } from './flagged-files.ts'
import { inTurns, mapSome } from './turns.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

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
  const began = workspace.clock.now()
  const candidates = new Set<string>()
  for await (const part of inTurns(status)) for (const it of part) if (it.kind !== 'staged') candidates.add(it.path)
  for await (const part of inTurns(state.paths.keys())) for (const path of part) candidates.add(path)
  for (const path of await unwatchedByGit(workspace, state)) candidates.add(path)
  for (const path of await changedInDoubt(workspace, state)) candidates.add(path)
  noteLook(state, began)
  const isFolderGone = goneFolders(workspace.root)
  const isDivergent = async (path: string): Promise<boolean> => {
    const signature = (await isFolderGone(path)) ? null : await readSignature(join(workspace.root, path))
    const known = state.paths.get(path)
    if (state.unreadable.has(path) && state.unreadable.get(path) === signature) return false
    return !known || known.signature !== signature || (signature === null && known.content !== null)
  }
  const paths = [...candidates]
  const found = await mapSome(paths, isDivergent)
  return paths.filter((_, n) => found[n])
}

function noteLook(state: WorktreeState, began: number): void {
  const { settings } = state
  state.lookedAt = began
  if (settings?.looksDue) state.settings = { ...settings, looksDue: settings.looksDue - 1 }
}
