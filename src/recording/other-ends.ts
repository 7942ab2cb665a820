import { join } from 'node:path'
import { worktreeStatus } from '../diff/status.ts'
import { signatureAt } from '../io/worktree.ts'
import type { GitActivity } from './git-activity.ts'
import { lookAt, type Write } from './look.ts'
import type { Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * The other ends of moves. A move is two events in two folders, and their watchers need not speak in one breath: a file
 * that went brings in the new file with its content, a new file brings in the one that went.
 */
export async function otherEnds(
  workspace: Workspace,
  memory: Memory,
  { writes, activity }: { writes: readonly Write[]; activity: GitActivity },
): Promise<Write[]> {
  const here = new Set(writes.map(it => it.path))
  const gone = writes.filter(it => it.after === null && !writes.some(to => isMove(it, to)))
  const come = writes.filter(it => it.before === null && !writes.some(from => isMove(from, it)))
  const candidates = [
    ...(gone.length > 0 ? await newPaths(workspace, memory) : []),
    ...(come.length > 0 ? await missingPaths(workspace, memory, new Set(come.flatMap(it => it.after?.oid ?? []))) : []),
  ].filter(path => !here.has(path))
  if (candidates.length === 0) return []
  const found = await lookAt(workspace, memory, { paths: candidates, activity })
  return found.writes.filter(it => gone.some(from => isMove(from, it)) || come.some(to => isMove(it, to)))
}

/** True when one write took away the very bytes that the other brought. Empty files are all alike, and never moves. */
export function isMove(from: Write, to: Write): boolean {
  const whole = from.before !== null && from.after === null && to.before === null && to.after !== null
  return whole && from.before.oid === to.after.oid && to.after.oid !== EMPTY
}

// The blob of no bytes.
const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

// `git mv` has staged the new end already.
async function newPaths({ git }: Workspace, { known }: Memory): Promise<string[]> {
  const status = await git.ask(worktreeStatus)
  return status.filter(it => it.kind !== 'dirty' && known.get(it.path)?.indexed !== true).map(it => it.path)
}

/** Paths that should hold one of these blobs, and are not there. */
async function missingPaths(workspace: Workspace, memory: Memory, oids: ReadonlySet<string>): Promise<string[]> {
  const holders = [
    ...[...memory.known].filter(([, it]) => it.content && oids.has(it.content.oid)).map(([path]) => path),
    ...memory.index.holding(oids).filter(path => !memory.known.has(path)),
  ]
  const missing: string[] = []
  for (const path of holders) if ((await signatureAt(join(workspace.root, path))) === null) missing.push(path)
  return missing
}
