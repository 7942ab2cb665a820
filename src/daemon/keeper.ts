import type { Memory } from '../recording/memory.ts'
import { saveMemory } from '../recording/memory.ts'
import { pruneSnapshots } from '../recording/snapshots.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * Writes down what a daemon knows: at once, then once a second while it learns, and at the end. What a killed daemon
 * had not written down yet is read from the ledger by the next one.
 */
export async function keepMemory({
  workspace,
  memory,
}: {
  workspace: Workspace
  memory: Memory
}): Promise<AsyncDisposable> {
  let saved = -1
  let saving: Promise<void> = Promise.resolve()
  const save = async (): Promise<void> => {
    if (saved === memory.revision) return
    saved = memory.revision
    await saveMemory(workspace, memory)
    await pruneSnapshots(workspace, oidsIn(memory))
  }
  const saveNext = (): Promise<void> => (saving = saving.then(save, save))
  await saveNext().catch(() => (saved = -1))
  const timer = setInterval(() => void saveNext().catch(() => (saved = -1)), SAVE_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // What can't be written down is read from the ledger by the next daemon.
      await saveNext().catch(() => {})
    },
  }
}

const SAVE_MS = 1_000

function oidsIn({ known }: Memory): Set<string> {
  return new Set([...known.values()].flatMap(it => (it.content ? [it.content.oid] : [])))
}
