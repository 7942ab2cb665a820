import { checkpointText, saveCheckpoint } from '../../world/recording/observation/checkpoint.ts'
import { type WorktreeState, knownOids } from '../../world/recording/observation/worktree-state.ts'
import { pruneSnapshots } from '../../world/recording/observation/snapshots.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** Saves a daemon's checkpoint. After a kill, the next daemon reads the records since the last one from the ledger. */
export type Checkpointer = AsyncDisposable & {
  /** Saves the checkpoint now. */
  save(): Promise<void>
  /** The state may have changed: saves it soon, at most five seconds later. */
  changed(): void
}

type CheckpointerContext = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  /** Runs `work` while nothing is inspected or recorded. */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>
  /** False when the daemon has lost its worktree: then nothing is written there. */
  readonly isInPlace: () => Promise<boolean>
  readonly failed: (reason: unknown) => void
}

/**
 * Saves the checkpoint on demand, soon after a change, and at the end. Between two saves it pauses for a multiple of
 * the time that the last one took, so that a busy daemon spends little time on it.
 */
export function checkpointerOf({
  workspace,
  state,
  runExclusive,
  isInPlace,
  failed,
}: CheckpointerContext): Checkpointer {
  let saved = state.revision
  let saving: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let pauseMs = 0
  let isClosed = false
  const saveOnce = async (): Promise<void> => {
    const { revision } = state
    if (saved === revision || !(await isInPlace())) return
    // Between two batches, the state matches the end of the ledger, and every needed snapshot is known.
    const checkpoint = await runExclusive(() => measure(() => checkpointText(workspace, state)))
    const written = await measure(() => saveCheckpoint(workspace, checkpoint.result))
    saved = revision
    const pruned = await runExclusive(() => measure(() => pruneSnapshots(workspace, knownOids(state))))
    pauseMs = Math.min(Math.max((checkpoint.ms + written.ms + pruned.ms) * PAUSE_FACTOR, PAUSE_MS_MIN), PAUSE_MS_MAX)
  }
  const save = (): Promise<void> => (saving = saving.then(saveOnce).catch(failed))
  const changed = (): void => {
    if (saved === state.revision || timer || isClosed) return
    timer = setTimeout(() => void save().then(() => ((timer = null), changed())), pauseMs)
  }
  return {
    save,
    changed,
    async [Symbol.asyncDispose]() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await save()
    },
  }
}

async function measure<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  const result = await work()
  return { result, ms: performance.now() - began }
}

// Saving takes at most a fifth of the time. The limits keep a small worktree's checkpoint from being written for each
// batch, and a large one's from being old when the daemon is killed.
const PAUSE_FACTOR = 4
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 5_000
