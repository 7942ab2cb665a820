import { join } from 'node:path'
import { changedBlobs } from '../git/tree-changes.ts'
import { type HeadMove, headMoves, joinGitMoves } from '../git/head-moves.ts'
import { emptyTree } from '../git/changes.ts'
import { type Merge, mergeNow } from './auto-merge.ts'
import { stampOf } from './object-age.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import type { Looked } from './epoch.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Where to look: everywhere, at HEAD's moves alone, or at those that surely changed the worktree. */
type Sign = 'any' | 'moves' | 'switches' | 'last' | 'brought'

/**
 * Tells by whom a path first came to a blob since everything was last at rest, or (null) was last taken away; null when
 * nothing says. `last` asks who brought the blob last, `brought` whether the last move at the path did, no reset. What
 * had happened when a path was `looked` at does not count; no plain commit took up what was `modifiedAt` a later time,
 * and no merge has made what was `thereAt` an earlier one.
 */
export type Makers = (question: {
  readonly path: string
  readonly oid: string | null
  readonly sign?: Sign
  readonly looked?: Looked
  readonly modifiedAt?: number
  readonly thereAt?: number
}) => Promise<'git' | 'hand' | 'both' | null>

/** What git's merges and HEAD's moves say of who brought a content into the worktree. */
export type HeadLog = {
  /** Something happened to a file of this name in the git directory: the next commit takes away what a merge left. */
  saw(name: string): void
  /** What it says up to now. */
  read(): Promise<Reading>
  /** A new period begins. */
  rested(): void
}

export type Reading = {
  readonly maker: Makers
  /** The blob that git brought to a path since it was looked at, before anybody committed there; null for none. */
  brought(path: string, looked: Looked): Promise<string | null>
  /** True when the last move at a path since it was looked at was one by git that took it away. */
  took(path: string, looked: Looked): Promise<boolean>
}

/** What tells of what a merge found, and need not have made. */
type Signs = { readonly lockedAt: (time: number) => number | null }

/** Reads HEAD's log from here on. */
export function headLogOf(workspace: Workspace, { memory, ...signs }: Signs & { memory: WorktreeState }): HeadLog {
  const path = join(workspace.gitDir, 'logs/HEAD')
  const contents = new Map<string, Promise<Blobs>>()
  const merges = new Map<number, Merge>()
  const changed = (from: string, to: string): Promise<Blobs> => {
    const known = contents.get(`${from} ${to}`) ?? changesOf(workspace, from, to)
    contents.set(`${from} ${to}`, known)
    return known
  }
  const sizeNow = async (): Promise<number | null> => (await workspace.files.readEnd(path, 0))?.size ?? null
  const moves = async (): Promise<HeadMove[] | null> => {
    const size = await sizeNow()
    if (size === null) return null
    const end = await workspace.files.readEnd(path, Math.min(size - placeIn(size, memory.epoch.log()), BYTES_MAX))
    return headMoves(end?.bytes.toString('latin1') ?? '')
  }
  const saw = (name: string): void => {
    const merge = name === 'AUTO_MERGE' ? mergeNow(workspace) : null
    if (merge !== null && merge.at > memory.epoch.since() && !merges.has(merge.at)) merges.set(merge.at, merge)
  }
  return {
    saw,
    async read() {
      const [latest, size] = [await moves(), await sizeNow()]
      saw('AUTO_MERGE')
      const witness = { latest: latest ?? [], size: size ?? 0, merges: [...merges.values()], changed, ...signs }
      const maker = makerOf(workspace, witness)
      return {
        // Without a log, nobody can say what was committed by hand.
        maker: async question => (await maker(question)) ?? (latest === null ? 'both' : null),
        async brought(path, looked) {
          const done = (await movesAt(witness, { path, looked })).reverse()
          // What git does with somebody's commit, it does with what somebody wrote.
          const byHand = done.findIndex(it => it.by !== 'git')
          return done.slice(0, byHand === -1 ? undefined : byHand).at(-1)?.blob ?? null
        },
        async took(path, looked) {
          const [last] = await movesAt(witness, { path, looked })
          return last?.by === 'git' && last.blob === null
        },
      }
    },
    rested() {
      contents.clear()
      for (const at of merges.keys()) if (at <= memory.epoch.since()) merges.delete(at)
    },
  }
}

/** Tells how long HEAD's log was at the earliest when HEAD named a commit, at a look or after it. */
export async function logWhen({ files, gitDir }: Workspace): Promise<(commit: string, since: Looked) => number> {
  const end = await files.readEnd(join(gitDir, 'logs/HEAD'), BYTES_MAX)
  const [size, latest] = [end?.size ?? 0, headMoves(end?.bytes.toString('latin1') ?? '')]
  return (commit, since) => {
    const moves = movesSince({ latest, size }, since)
    const move = moves.at(-1)?.from === commit ? null : moves.findLast(it => it.to === commit)
    return move ? size - move.bytesAfter : since.log
  }
}

const BYTES_MAX = 65_536
const MOVES_MAX = 50
// What most merges take, and what it takes to write out what they came to, when nothing has told.
const MERGE_MS = 30
const CHECKOUT_MS = 8

type Witness = Signs & {
  readonly size: number
  readonly latest: readonly HeadMove[]
  readonly merges: readonly Merge[]
  changed(from: string, to: string): Promise<Blobs>
}

function makerOf(workspace: Workspace, { latest, size, merges, changed, lockedAt }: Witness): Makers {
  const isOlder = async (oid: string, at: number): Promise<boolean> => {
    return ((await stampOf(workspace, oid)) ?? -Infinity) < at
  }
  // What is older than a merge was there for it to take.
  const isTaken = async (merge: Merge, { oid, move, thereAt }: Brought): Promise<boolean> => {
    if (thereAt <= merge.at) return true
    if (move?.by === 'hand' && (await isOlder(move.to, merge.at))) return true
    if (oid === null) return false
    // Git merges with the index locked.
    const begun = lockedAt(merge.at)
    if (merge.madeAt < (begun ?? merge.at - CHECKOUT_MS)) return true
    return isOlder(oid, begun ?? merge.at - MERGE_MS)
  }
  const mergeTo = async (path: string, oid: string | null, since: number): Promise<Merge | null> => {
    for (const merge of merges)
      if (merge.at >= since && (await changed(merge.onto ?? 'HEAD', merge.tree)).get(path) === oid) return merge
    return null
  }
  return async ({ path, oid, sign = 'any', looked, modifiedAt = -Infinity, thereAt = Infinity }) => {
    const since = looked ?? { at: -Infinity, log: 0 }
    const all = movesSince({ latest, size }, since)
    const moves = (sign === 'last' || sign === 'brought' ? all : joinGitMoves(all)).slice(0, MOVES_MAX)
    const merge = sign === 'any' || sign === 'last' ? await mergeTo(path, oid, since.at) : null
    const move = await moveTo({ latest: movesBy(moves, { oid, sign }), changed }, path, { oid, sign })
    const isMerged = merge && (sign === 'last' || !(await isTaken(merge, { oid, move, thereAt })))
    if (isMerged) return 'git'
    // What HEAD had at first was only brought back, whoever committed it anew.
    const first = sign === 'any' && oid !== null && all.length <= MOVES_MAX ? moves.at(-1) : undefined
    if (move && first && !(await changed(first.from, move.to)).has(path)) return 'git'
    if (move?.by === 'hand' && ((await stampOf(workspace, move.to)) ?? Infinity) < modifiedAt) return null
    if (move) return move.by === 'reset' ? 'git' : move.by
    // What no commit ever had, git takes away as it goes elsewhere.
    return sign === 'moves' && moves.some(it => it.by === 'git' || it.by === 'reset') ? 'git' : null
  }
}

type AtPath = { readonly path: string; readonly looked: Looked }

/** What HEAD's moves since it was looked at did to a path, the newest first. */
async function movesAt(witness: Witness, { path, looked }: AtPath) {
  const done: { readonly by: HeadMove['by']; readonly blob: string | null }[] = []
  for (const { by, from, to } of movesSince(witness, looked).slice(0, MOVES_MAX)) {
    const blob = (await witness.changed(from, to)).get(path)
    if (blob !== undefined) done.push({ by, blob })
  }
  return done
}

function movesSince({ latest, size }: Pick<Witness, 'latest' | 'size'>, { log }: Looked): readonly HeadMove[] {
  return latest.filter(it => size - it.bytesAfter > placeIn(size, log))
}

// A `gc` lets go what is old: then nobody knows where a place in the log is now.
function placeIn(size: number, place: number): number {
  return place > size ? 0 : place
}

function movesBy(latest: readonly HeadMove[], { oid, sign }: Sought): readonly HeadMove[] {
  return oid === null || sign === 'last' || sign === 'brought' ? latest : latest.toReversed()
}

type Sought = { readonly oid: string | null; readonly sign: Sign }

type Brought = { readonly oid: string | null; readonly move: HeadMove | null; readonly thereAt: number }

/** Of moves, the first that brought a path to a blob, or (null) that changed it, if it took it away. */
async function moveTo(
  { latest, changed }: Pick<Witness, 'latest' | 'changed'>,
  path: string,
  { oid, sign }: Sought,
): Promise<HeadMove | null> {
  let isBack = false
  for (const move of latest) {
    const mayLeave = oid === null && sign !== 'moves' && move.by === 'reset'
    const blob = (await changed(move.from, move.to)).get(path)
    if (sign === 'brought' && blob !== undefined) return blob === oid && move.by !== 'reset' ? move : null
    // A reset may have left the worktree as it was: only what another one brought back was surely let go.
    if (mayLeave && blob !== undefined && !isBack) isBack = blob !== null
    else if (blob === oid) return move
    else if (oid === null && blob !== undefined && !mayLeave) return null
  }
  return null
}

type Blobs = ReadonlyMap<string, string | null>

async function changesOf({ git }: Workspace, from: string, to: string): Promise<Blobs> {
  const before = /^0+$/.test(from) ? await git.ask(emptyTree) : from
  return (await git.tryAsk(changedBlobs(before, to))) ?? new Map<string, string | null>()
}
