import type { Content } from '../attribution/judge-write.ts'
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
  const { known, index, staged, period } = memory
  const moved = status.length + known.size === 0 ? [] : await changesSince(workspace, head)
  const changes = new Map(moved.map(it => [it.path, it]))
  for (const [path, it] of known) {
    if (index.has(path) || !(staged.get(path) ?? changes.get(path)?.before)) continue
    // Git had it, and may have taken it away.
    period.keep(path, it.content?.oid ?? null)
    known.set(path, { ...it, indexed: true })
  }
  for (const { path } of status) {
    const stood = known.has(path) ? undefined : stoodAt(memory, path, changes.get(path))
    if (stood === undefined) continue
    known.set(path, { content: stood, signature: null, traced: true, at: 0, indexed: stood !== null })
  }
}

/** What a path held when it was not known to hold anything but what the index had; undefined when it has that still. */
function stoodAt({ index, staged }: Memory, path: string, change: Change | undefined): Content | undefined {
  const now = index.get(path) ?? null
  const oid = staged.get(path)
  if (oid === undefined) return change?.before
  if (oid === (now?.oid ?? null)) return change?.after
  return oid === null ? null : { oid, mode: now?.mode ?? change?.before?.mode ?? REGULAR }
}

async function changesSince({ git }: Workspace, tree: string | null): Promise<Change[]> {
  const changes = tree === null ? null : await git.tryAsk(stagedChanges(tree))
  return (changes ?? []).filter(it => ![it.before?.mode, it.after?.mode].includes(SUBMODULE))
}

const REGULAR = '100644'
const SUBMODULE = '160000'
