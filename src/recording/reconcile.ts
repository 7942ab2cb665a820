import { join } from 'node:path'
import { type StatusEntry, worktreeStatus } from '../diff/status.ts'
import { signatureAt } from '../io/worktree.ts'
import type { Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Paths that are not on disk as they were last seen, by git's status: what no event need have told of. */
export async function strayPaths(workspace: Workspace, memory: Memory): Promise<string[]> {
  return strayAmong(workspace, memory, await workspace.git.ask(worktreeStatus))
}

/** As `strayPaths`, for a status that was asked for already. */
export async function strayAmong(
  workspace: Workspace,
  memory: Memory,
  status: readonly StatusEntry[],
): Promise<string[]> {
  const dirty = status.filter(it => it.kind !== 'staged').map(it => it.path)
  const candidates = new Set([...dirty, ...memory.known.keys()])
  const stray: string[] = []
  for (const path of candidates) {
    const known = memory.known.get(path)
    const signature = await signatureAt(join(workspace.root, path))
    if (memory.unreadable.has(path) && memory.unreadable.get(path) === signature) continue
    if (!known || known.signature !== signature || (signature === null && known.content !== null)) stray.push(path)
  }
  return stray
}
