import { join } from 'node:path'
import { lineMarker } from '../../../core/git/diff/patch.ts'
import { lineBag, type LineBag, matchTexts } from '../../../core/git/diff/similar-texts.ts'
import { pathsChangedInIndex } from '../../../core/git/changes.ts'
import { untrackedBy } from '../../../core/git/status.ts'
import { readSignature } from '../../io/files/file-state.ts'
import { bytesBefore } from './bytes-before.ts'
import { groupBy } from '../../../core/base/grouping.ts'
import { mapSome } from './turns.ts'
import { type InspectRequest, inspectPaths, type Write } from './inspect.ts'
import type { RecorderContext } from './recorder-context.ts'
import { hasIndexChanged, type WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/**
 * The other ends of moves. A move is two events in two folders, and their watchers need not report both at once: a file
 * that is gone brings in the new file with its content, a new file brings in the one that is gone. While git works, no
 * other end can be judged: the known ends wait for it, since a record without the other one names a wrong author.
 */
export async function findMoveCounterparts(
  context: RecorderContext,
  { writes, pending, ...how }: CounterpartRequest,
): Promise<Counterparts> {
  const { workspace, state } = context
  const here = new Set(writes.map(it => it.path))
  const { removedBlobs, addedBlobs, ...all } = moveEnds(writes)
  const removed = all.removed.filter(it => !addedBlobs.has(it.before?.oid ?? ''))
  const added = all.added.filter(it => !removedBlobs.has(it.after?.oid ?? ''))
  const ends = [...removed, ...added]
  if (ends.length === 0) return NONE
  const next = pending.length <= PENDING_MAX ? pending : []
  const candidates = new Set([
    // A new end that is committed by now is not new for git, but still waits to be inspected.
    ...(removed.length > 0 ? [...next, ...(await newPaths(workspace, state))] : []),
    ...(added.length > 0 ? await missingPaths(workspace, state, moveEnds(added).addedBlobs) : []),
    ...(added.length > 0 ? await gonePaths(workspace, next) : []),
  ])
  for (const it of here) candidates.delete(it)
  // Between two questions a new file may have been staged, and is in neither answer.
  if (await hasIndexChanged(workspace, state)) return { found: [], waiting: ends }
  if (candidates.size === 0) return NONE
  const found = await inspectPaths(workspace, state, { ...how, paths: [...candidates] })
  if (found.isPostponed) return { found: [], waiting: ends }
  const { froms, origins } = await pairMoves(context, [...ends, ...found.writes])
  const moved = new Set([...froms].flat())
  for (const [to, froms] of origins) for (const it of [to, ...froms]) moved.add(it)
  return { found: found.writes.filter(it => moved.has(it)), waiting: [] }
}

/** The other ends that were found, and the known ends whose other one can't be judged yet. */
type Counterparts = { readonly found: readonly Write[]; readonly waiting: readonly Write[] }

const NONE: Counterparts = { found: [], waiting: [] }

type CounterpartRequest = Omit<InspectRequest, 'paths'> & {
  readonly writes: readonly Write[]
  /** Paths that will be inspected next. */
  readonly pending: readonly string[]
}

// More paths than these are a burst, whose ends come together by themselves.
const PENDING_MAX = 200

/** The moves among some writes, each end once. */
type Moves = {
  /** The removed file that an added one was. */
  readonly froms: ReadonlyMap<Write, Write>
  /** Other removed files of which an added one has lines. */
  readonly origins: ReadonlyMap<Write, readonly Write[]>
}

/** Pairs each removed file with a new one of the same bytes, in the order of the writes; else with a similar one. */
export async function pairMoves(context: RecorderContext, writes: readonly Write[]): Promise<Moves> {
  const { removed, added } = moveEnds(writes)
  const waiting = groupBy(removed, it => it.before?.oid ?? '')
  for (const group of waiting.values()) group.reverse()
  const froms = new Map<Write, Write>()
  for (const to of added) {
    const from = waiting.get(to.after?.oid ?? '')?.pop()
    if (from) froms.set(to, from)
  }
  const paired = new Set(froms.values())
  const rest = { removed: removed.filter(it => !paired.has(it)), added: added.filter(it => !froms.has(it)) }
  return pairSimilar(context, rest, froms)
}

async function pairSimilar(
  context: RecorderContext,
  { removed, added }: { readonly removed: readonly Write[]; readonly added: readonly Write[] },
  froms: Map<Write, Write>,
): Promise<Moves> {
  const none = removed.length === 0 || added.length === 0
  if (none || removed.length > ENDS_MAX || added.length > ENDS_MAX) return { froms, origins: new Map() }
  const gone = await mapSome(removed, it => bagBefore(context, it))
  const here = await mapSome(added, async it => bagOf(context, it.file?.bytes ?? null))
  const { pairs, origins } = matchTexts(gone, here)
  const at = <T>(list: readonly T[], n: number): T[] => list.slice(n, n + 1)
  for (const [to, from] of pairs) for (const it of at(added, to)) for (const by of at(removed, from)) froms.set(it, by)
  return {
    froms,
    origins: new Map(
      [...origins].flatMap(([to, all]) =>
        at(added, to).map(it => [it, all.flatMap(from => at(removed, from))] as const),
      ),
    ),
  }
}

// As many as git compares by default (`diff.renameLimit`).
const ENDS_MAX = 1_000

async function bagBefore(context: RecorderContext, { path, before }: Write): Promise<LineBag> {
  const found = before === null ? null : await bytesBefore(context, { path, oid: before.oid }, null)
  return bagOf(context, found?.bytes ?? null)
}

function bagOf({ hasher, textBytesMax }: RecorderContext, bytes: Buffer | null): LineBag {
  const text = bytes !== null && bytes.length <= textBytesMax ? bytes : Buffer.alloc(0)
  return lineBag(
    text,
    lineMarker(it => hasher.xxh32(it)),
  )
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
  const untracked = untrackedBy([], { paths: [], options: ['--exclude-standard'] })
  const paths = (await Promise.all([untracked, pathsChangedInIndex].map(it => git.ask(it)))).flat()
  // A file that was known before is not new, and another repository is a folder.
  return paths.filter(it => !it.endsWith('/') && !known.get(it)?.indexed && !known.get(it)?.content)
}

/** Paths that should hold one of these blobs, and are gone. */
async function missingPaths(workspace: Workspace, state: WorktreeState, oids: ReadonlySet<string>): Promise<string[]> {
  const holders = [
    ...[...state.paths].filter(([, it]) => it.content && oids.has(it.content.oid)).map(([path]) => path),
    ...state.index.pathsWithBlobs(oids).filter(path => !state.paths.has(path)),
  ]
  return gonePaths(workspace, holders)
}

async function gonePaths({ root }: Workspace, paths: readonly string[]): Promise<string[]> {
  const signatures = await mapSome(paths, path => readSignature(join(root, path)))
  return paths.filter((_, n) => signatures[n] === null)
}
