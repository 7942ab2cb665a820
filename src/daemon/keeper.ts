import { cursorOf, type Memory, oidsIn, saveCursor } from '../recording/memory.ts'
import { pruneSnapshots } from '../recording/snapshots.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Writes down what a daemon knows. What a killed one had not written down yet, the next one reads from the ledger. */
export type Keeper = AsyncDisposable & {
  /** Writes it down now. */
  save(): Promise<void>
  /** More may be known than before: it is written down soon, within a second at the latest. */
  learnt(): void
}

type Means = {
  readonly workspace: Workspace
  readonly memory: Memory
  /** Does something while nothing is looked at or recorded. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  /** False when the place of the daemon is not its own any more: then nothing is written there. */
  readonly stands: () => Promise<boolean>
  readonly failed: (reason: unknown) => void
}

/**
 * Writes down what is known when it is told to, as soon as more is learnt, and at the end; between two times it rests
 * for longer than it took: a killed daemon had little left to write down, and a busy one does other things.
 */
export function keeperOf({ workspace, memory, alone, stands, failed }: Means): Keeper {
  let saved = memory.revision
  let saving: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let pauseMs = 0
  let closed = false
  const saveOnce = async (): Promise<void> => {
    const { revision } = memory
    if (saved === revision || !(await stands())) return
    // Between two batches, what is known and the end of the ledger belong together, and every snapshot has its owner.
    const cursor = await alone(() => timed(() => cursorOf(workspace, memory)))
    const written = await timed(() => saveCursor(workspace, cursor.result))
    saved = revision
    const pruned = await alone(() => timed(() => pruneSnapshots(workspace, oidsIn(memory))))
    pauseMs = Math.min(Math.max((cursor.ms + written.ms + pruned.ms) * PAUSES, PAUSE_MS_MIN), PAUSE_MS_MAX)
  }
  const save = (): Promise<void> => (saving = saving.then(saveOnce).catch(failed))
  const learnt = (): void => {
    if (saved === memory.revision || timer || closed) return
    timer = setTimeout(() => void save().then(() => ((timer = null), learnt())), pauseMs)
  }
  return {
    save,
    learnt,
    async [Symbol.asyncDispose]() {
      closed = true
      if (timer) clearTimeout(timer)
      await save()
    },
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  const result = await work()
  return { result, ms: performance.now() - began }
}

const PAUSES = 4
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 1_000
