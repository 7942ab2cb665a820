import { checkpointText, type WorktreeState, knownOids, saveCheckpoint } from '../observation/worktree-state.ts'
import { pruneSnapshots } from '../observation/snapshots.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Writes down what a daemon knows. What a killed one had not written down yet, the next one reads from the ledger. */
export type Checkpointer = AsyncDisposable & {
  /** Writes it down now. */
  save(): Promise<void>
  /** More may be known than before: it is written down soon, within a second at the latest. */
  changed(): void
}

type CheckpointerContext = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  /** Does something while nothing is looked at or recorded. */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>
  /** False when the place of the daemon is not its own any more: then nothing is written there. */
  readonly isInPlace: () => Promise<boolean>
  readonly failed: (reason: unknown) => void
}

/**
 * Writes down what is known when it is told to, as soon as more is learnt, and at the end; between two times it rests
 * for longer than it took: a killed daemon had little left to write down, and a busy one does other things.
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
    // Between two batches, what is known and the end of the ledger belong together, and every snapshot has its owner.
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

const PAUSE_FACTOR = 4
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 1_000
