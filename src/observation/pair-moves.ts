import { join } from 'node:path'
import { gitStatus } from '../git/status.ts'
import { readSignature } from '../io/files/file-state.ts'
import type { GitEvidence } from '../git-evidence/git-evidence.ts'
import { inspectPaths, type Write } from './inspect.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * The other ends of moves. A move is two events in two folders, and their watchers need not speak in one breath: a file
 * that went brings in the new file with its content, a new file brings in the one that went.
 */
export async function findMoveCounterparts(
  workspace: Workspace,
  state: WorktreeState,
  { writes, evidence }: { writes: readonly Write[]; evidence: GitEvidence },
): Promise<Write[]> {
  const here = new Set(writes.map(it => it.path))
  const removed = writes.filter(it => it.after === null && !writes.some(to => isRename(it, to)))
  const added = writes.filter(it => it.before === null && !writes.some(from => isRename(from, it)))
  const candidates = [
    ...(removed.length > 0 ? await newPaths(workspace, state) : []),
    ...(added.length > 0
      ? await missingPaths(workspace, state, new Set(added.flatMap(it => it.after?.oid ?? [])))
      : []),
  ].filter(path => !here.has(path))
  if (candidates.length === 0) return []
  const found = await inspectPaths(workspace, state, { paths: candidates, evidence })
  return found.writes.filter(it => removed.some(from => isRename(from, it)) || added.some(to => isRename(it, to)))
}

/** True when one write took away the very bytes that the other brought. Empty files are all alike, and never moves. */
export function isRename(from: Write, to: Write): boolean {
  const whole = from.before !== null && from.after === null && to.before === null && to.after !== null
  return whole && from.before.oid === to.after.oid && to.after.oid !== EMPTY_BLOB
}

// The blob of no bytes.
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

// `git mv` has staged the new end already.
async function newPaths({ git }: Workspace, { paths: known }: WorktreeState): Promise<string[]> {
  const status = await git.ask(gitStatus)
  return status.filter(it => it.kind !== 'dirty' && known.get(it.path)?.indexed !== true).map(it => it.path)
}

/** Paths that should hold one of these blobs, and are not there. */
async function missingPaths(workspace: Workspace, state: WorktreeState, oids: ReadonlySet<string>): Promise<string[]> {
  const holders = [
    ...[...state.paths].filter(([, it]) => it.content && oids.has(it.content.oid)).map(([path]) => path),
    ...state.index.pathsWithBlobs(oids).filter(path => !state.paths.has(path)),
  ]
  const missing: string[] = []
  for (const path of holders) if ((await readSignature(join(workspace.root, path))) === null) missing.push(path)
  return missing
}
