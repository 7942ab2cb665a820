import { type Change, stagedChanges } from '../diff/staged.ts'
import type { StatusEntry } from '../diff/status.ts'
import type { Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * Calls to mind what stood at paths that are not as HEAD has them, where the index has moved on while nobody watched:
 * what was staged when it was last read, or what HEAD had. What was committed meanwhile may be what git brought.
 */
export async function recall(
  workspace: Workspace,
  memory: Memory,
  { head, status }: { head: string | null; status: readonly StatusEntry[] },
): Promise<void> {
  const changed = new Set(status.map(it => it.path))
  const moved = changed.size === 0 ? [] : await changesSince(workspace, head)
  const since = moved.filter(it => changed.has(it.path) && !memory.known.has(it.path))
  for (const { path, before, after } of since) {
    const wasStaged = memory.staged.get(path) === (after?.oid ?? null)
    const stood = wasStaged ? after : before
    memory.known.set(path, { content: stood, signature: null, traced: true, at: 0, indexed: stood !== null })
  }
}

async function changesSince({ git }: Workspace, tree: string | null): Promise<Change[]> {
  const changes = tree === null ? null : await git.tryAsk(stagedChanges(tree))
  return (changes ?? []).filter(it => ![it.before?.mode, it.after?.mode].includes(SUBMODULE))
}

const SUBMODULE = '160000'
