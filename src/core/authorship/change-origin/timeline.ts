import type { Source } from './facts.ts'
import { CHECKOUT_MS, MERGE_MS } from '../../base/thresholds.ts'

/**
 * What a move of HEAD did at one path: the blob before and after, null where there was no file. A reset may have left
 * the worktree as it was. Times are milliseconds since 1970.
 */
export type PathEvent = {
  readonly by: 'git' | 'commit' | 'either' | 'reset'
  readonly from: string | null
  readonly to: string | null
  /** When git made the commit that HEAD moved to; null when it is packed. */
  readonly committedAt: number | null
}

/** A merge that git wrote out at one path, whether or not it was committed. */
export type PathMerge = {
  readonly to: string | null
  /** When the merge was over. */
  readonly at: number
  /** When git took the lock of the index for it; null when nobody saw that. */
  readonly lockedAt: number | null
  /** When git made the tree that the merge resulted in. */
  readonly treeMadeAt: number
  /** When git made `to`, or would have made it once more; -Infinity when it is packed, or nothing. */
  readonly blobMadeAt: number
  /** When git made `to` for the first time; -Infinity when it is packed, or nothing. */
  readonly blobBornAt: number
  /** Git had `to` before the merge, when HEAD's log was last written and HEAD stayed: by a stash, as a rule. */
  readonly blobIsOlder: boolean
}

/** Everything that moves of HEAD and merges did at one path, oldest first. */
export type OriginTimeline = {
  readonly moves: readonly PathEvent[]
  readonly merges: readonly PathMerge[]
  /** HEAD has a log. Without one nobody can say what was committed by hand. */
  readonly isLogged: boolean
}

/** Since when a content was there without git's merge: `stashedAt` in a stash, `writtenAt` in the file. */
export type PresentSince = { readonly stashedAt?: number; readonly writtenAt?: number }

/** What first led a path to a content; no merge made what a stash or the file had before. */
export function firstSource(history: OriginTimeline, content: string, present: PresentSince = {}): Source {
  const { moves, merges } = history
  const move = moves.find(it => it.to === content)
  const merge = merges.find(it => it.to === content)
  if (merge && !isTaken(merge, { ...present, move })) return 'git'
  if (!move) return noSource(history)
  // What HEAD had at first was only brought back, even by a plain commit.
  return moves[0]?.from === content ? 'git' : sourceOf(move)
}

/** What last led a path to a content; a commit from before the file was modified did not bring it. */
export function lastSource(history: OriginTimeline, content: string, modifiedAt: number): Source {
  const { moves, merges } = history
  if (merges.some(it => it.to === content)) return 'git'
  const move = moves.findLast(it => it.to === content)
  if (!move || (move.by === 'commit' && (move.committedAt ?? Infinity) < modifiedAt)) return noSource(history)
  return sourceOf(move)
}

/** What last removed a file; `resets` says whether a reset alone is known to have done so. */
export function lastRemover(history: OriginTimeline, { resets }: { readonly resets: boolean }): Source {
  const { moves, merges } = history
  const move = lastRemoval(moves, resets)
  const merge = merges.find(it => it.to === null)
  if (merge && !isTaken(merge, { move })) return 'git'
  return move ? sourceOf(move) : noSource(history)
}

function lastRemoval(moves: readonly PathEvent[], resets: boolean): PathEvent | undefined {
  let isBack = false
  for (const move of moves.toReversed()) {
    const mayStay = move.by === 'reset' && !resets
    // A reset may have left the file where it was: only what a later one brought back was surely gone.
    if (mayStay && !isBack) isBack = move.to !== null
    else if (move.to === null) return move
    else if (!mayStay) return undefined
  }
  return undefined
}

/** The content that moves of HEAD by git brought before anybody committed at the path; null for none. */
export function broughtByGit(moves: readonly PathEvent[]): string | null {
  // What git does with a person's commit, it does with what the person wrote.
  const byHand = moves.findIndex(it => it.by !== 'git')
  return moves.slice(0, byHand === -1 ? undefined : byHand).at(-1)?.to ?? null
}

/**
 * What a content replaced when a commit first took it, where nobody has committed at the path since the last look,
 * which found something else: a rebase leaves a commit, and brings its content back. Undefined for all other contents.
 */
export function committedOver(
  moves: readonly PathEvent[],
  sinceLook: readonly PathEvent[],
  content: string | undefined,
): string | null | undefined {
  const first = moves[0]?.from === content ? undefined : moves.find(it => it.to === content)
  return first?.by === 'commit' && sinceLook.every(it => it.by === 'git') ? first.from : undefined
}

/** Whether a merge took what was there already, and did not make it. */
function isTaken(
  { to, at, lockedAt, treeMadeAt, blobMadeAt, blobBornAt, blobIsOlder }: PathMerge,
  { move, stashedAt = Infinity, writtenAt = Infinity }: PresentSince & { readonly move: PathEvent | undefined },
): boolean {
  // Git makes what it merges before it writes the file.
  if (blobBornAt > writtenAt) return true
  if (stashedAt <= at || (move?.by === 'commit' && (move.committedAt ?? -Infinity) < at)) return true
  if (to === null) return false
  if (blobIsOlder && lockedAt === null) return true
  // A stash put back where it was taken results in what it holds, and nothing is merged. Git merges under the lock.
  if (treeMadeAt < (lockedAt ?? at - CHECKOUT_MS)) return true
  return blobMadeAt < (lockedAt ?? at - MERGE_MS)
}

function sourceOf({ by }: PathEvent): Source {
  return by === 'reset' ? 'git' : by
}

function noSource({ isLogged }: OriginTimeline): Source {
  return isLogged ? 'nothing' : 'either'
}
