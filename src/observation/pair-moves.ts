import { join } from 'node:path'
import { gitStatus } from '../git/status.ts'
import { readSignature } from '../io/files/file-state.ts'
import { groupBy } from './grouping.ts'
import { mapSome } from './turns.ts'
import { type InspectRequest, inspectPaths, type Write } from './inspect.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * The other ends of moves. A move is two events in two folders, and their watchers need not speak in one breath: a file
 * that went brings in the new file with its content, a new file brings in the one that went.
 */
export async function findMoveCounterparts(
  workspace: Workspace,
  state: WorktreeState,
  { writes, ...how }: { writes: readonly Write[] } & Omit<InspectRequest, 'paths'>,
): Promise<Write[]> {
  const here = new Set(writes.map(it => it.path))
  const ends = moveEnds(writes)
  const removed = moveEnds(ends.removed.filter(it => !ends.addedBlobs.has(it.before?.oid ?? '')))
  const added = moveEnds(ends.added.filter(it => !ends.removedBlobs.has(it.after?.oid ?? '')))
  const candidates = [
    ...(removed.removed.length > 0 ? await newPaths(workspace, state) : []),
    ...(added.added.length > 0 ? await missingPaths(workspace, state, added.addedBlobs) : []),
  ].filter(path => !here.has(path))
  if (candidates.length === 0) return []
  const found = await inspectPaths(workspace, state, { ...how, paths: candidates })
  const others = moveEnds(found.writes)
  return [
    ...others.added.filter(it => removed.removedBlobs.has(it.after?.oid ?? '')),
    ...others.removed.filter(it => added.addedBlobs.has(it.before?.oid ?? '')),
  ]
}

/** Pairs each removed file with a new one of the very same bytes, each end once, in the order of the writes. */
export function pairMoves(writes: readonly Write[]): { from: Write; to: Write }[] {
  const { removed, added } = moveEnds(writes)
  const waiting = groupBy(removed, it => it.before?.oid ?? '')
  for (const group of waiting.values()) group.reverse()
  return added.flatMap(to => {
    const from = waiting.get(to.after?.oid ?? '')?.pop()
    return from ? [{ from, to }] : []
  })
}

/** The writes that took a whole file away, those that brought one, and the blobs of both. */
function moveEnds(writes: readonly Write[]) {
  const isMovable = (oid: string | undefined): boolean => oid !== undefined && oid !== EMPTY_BLOB
  const removed = writes.filter(it => it.after === null && isMovable(it.before?.oid))
  const added = writes.filter(it => it.before === null && isMovable(it.after?.oid))
  const removedBlobs = new Set(removed.map(it => it.before?.oid ?? ''))
  return { removed, added, removedBlobs, addedBlobs: new Set(added.map(it => it.after?.oid ?? '')) }
}

// The blob of no bytes. Empty files are all alike, and never moves.
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
  const signatures = await mapSome(holders, path => readSignature(join(workspace.root, path)))
  return holders.filter((_, n) => signatures[n] === null)
}
