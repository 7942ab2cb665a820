import { cursorOf, type Memory, saveCursor } from '../recording/memory.ts'
import { pruneSnapshots } from '../recording/snapshots.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Writes down what a daemon knows. What a killed one had not written down yet, the next one reads from the ledger. */
export type Keeper = AsyncDisposable & {
  /** Writes it down now. */
  save(): Promise<void>
  /** More may be known than before: it is written down within a second. */
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

/** Writes down what is known when it is told to, at most once a second while more is learnt, and at the end. */
export function keeperOf({ workspace, memory, alone, stands, failed }: Means): Keeper {
  let saved = memory.revision
  let saving: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const saveOnce = async (): Promise<void> => {
    const { revision } = memory
    if (saved === revision || !(await stands())) return
    // Between two batches, what is known and the end of the ledger belong together, and every snapshot has its owner.
    await saveCursor(workspace, await alone(() => cursorOf(workspace, memory)))
    saved = revision
    await alone(() => pruneSnapshots(workspace, oidsIn(memory)))
  }
  const save = (): Promise<void> => (saving = saving.then(saveOnce).catch(failed))
  const learnt = (): void => {
    if (saved === memory.revision || timer || closed) return
    timer = setTimeout(() => void save().then(() => ((timer = null), learnt())), SAVE_MS)
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

const SAVE_MS = 1_000

function oidsIn({ known }: Memory): Set<string> {
  return new Set([...known.values()].flatMap(it => (it.content ? [it.content.oid] : [])))
}
