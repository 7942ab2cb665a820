import { existsSync } from 'node:fs'
import { type BlameCache, openBlameCache } from '../../world/provenance/blame-cache.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import { type GovernedState, loadGovernedState, NOTHING_KNOWN } from './governed-state.ts'
import { watchStateFolders } from './state-folders.ts'
import { steadyState } from './steady-state.ts'

/** A worktree with files that are open in the editor: its state as it is on disk, read again when that changes. */
export type WatchedWorktree = Disposable & {
  readonly workspace: Workspace
  readonly blame: BlameCache
  /** The state that was read last. */
  state(): GovernedState
  /** Reads the state again; resolves when it is that of this moment. */
  reload(): Promise<void>
}

/** Called with each new state; null when the worktree is gone. */
export type StateListener = (worktree: WatchedWorktree, state: GovernedState | null) => void

/** Opens the worktree around a folder, and reads its state. */
export async function watchWorktree(folder: string, changed: StateListener): Promise<WatchedWorktree> {
  const workspace = await openWorkspace(folder)
  let state = NOTHING_KNOWN
  const read = async (): Promise<void> => {
    if (!existsSync(workspace.gitDir)) return changed(worktree, null)
    // Watched first, so that no change is missed between the reading and the watching.
    await folders.renew()
    state = await steadyState(it => loadGovernedState(workspace, it), state)
    worktree.blame.forget()
    changed(worktree, state)
  }
  const reload = oneAtATime(read)
  const folders = watchStateFolders(workspace, () => void reload())
  const worktree: WatchedWorktree = {
    workspace,
    blame: openBlameCache(workspace),
    state: () => state,
    reload,
    [Symbol.dispose]: () => folders[Symbol.dispose](),
  }
  await reload()
  return worktree
}

/** Runs `work` once more after the run that is under way, however often it is asked for meanwhile. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    next = null
    const run = work().finally(() => void (running === run && (running = null)))
    return (running = run)
  }
  return () => (running === null ? start() : (next ??= running.then(start, start)))
}
