import { REMOVAL_QUIET_MS } from '../../core/base/thresholds.ts'

/**
 * Waiting until a file is no longer written to.
 *
 *   noticed -> waiting --quiet for quietMs--> due --stable for its size--> inspected
 *                 ^------noticed again------'  |
 *                 ^--------not stable----------'
 *
 * A file that never is stable is inspected after waitMsMax. Times are the clock's ticks, which the caller passes in.
 */
export type Settling = Map<string, Waiting>

/** Since when a path has been waiting. `restMs` is the quiet time that it needs when that is longer than usual. */
export type Waiting = { readonly firstAt: number; readonly lastAt: number; readonly restMs: number }

export type Patience = { readonly quietMs: number; readonly waitMsMax: number }

/** Notes a possible change of a path. */
export function notice(settling: Settling, path: string, at: number): void {
  settling.set(path, { firstAt: settling.get(path)?.firstAt ?? at, lastAt: at, restMs: 0 })
}

/** Takes out the paths that are due at `now`, as many as one batch may have. */
export function takeDue(settling: Settling, now: number, patience: Patience): [string, Waiting][] {
  const due: [string, Waiting][] = []
  for (const it of settling) {
    if (due.length === PATHS_PER_BATCH) break
    if (dueAt(it[1], patience) <= now) due.push(it)
  }
  for (const [path] of due) settling.delete(path)
  return due
}

// The memory that a batch takes, and its longest turn of the event loop, grow with it. The two ends of a move that are
// in different batches cost a look at all new files.
const PATHS_PER_BATCH = 20_000

/** A file's size, and its age by its modification time. */
export type Outline = { readonly bytes: number; readonly ageMs: number }

/** The wait that a due path still needs, by its file's size and age; null when it may be inspected. */
export function restOf(
  waiting: Waiting,
  { bytes, ageMs }: Outline,
  { now, patience }: { readonly now: number; readonly patience: Patience },
): Waiting | null {
  if (now - waiting.firstAt >= patience.waitMsMax) return null
  const restMs = restMsOf(bytes, patience.quietMs)
  // The modification time shows a write before its event comes. One in the future says nothing: a program has set it.
  const lastAt = ageMs < 0 ? waiting.lastAt : now - ageMs
  return now - lastAt >= restMs ? null : { firstAt: waiting.firstAt, lastAt, restMs }
}

/**
 * The wait that a removed path still needs. Git removes files some time before HEAD moves, and longer when a hook runs
 * in between. A failing merge restores removed files and removes them again. `gitMovedAt` is the time of the last
 * event in the git directory.
 */
export function restOfGone(
  { firstAt }: Waiting,
  { now, gitMovedAt, patience }: { readonly now: number; readonly gitMovedAt: number; readonly patience: Patience },
): Waiting | null {
  if (now - gitMovedAt >= REMOVAL_QUIET_MS || now - firstAt >= patience.waitMsMax) return null
  return { firstAt, lastAt: gitMovedAt, restMs: REMOVAL_QUIET_MS }
}

/** Puts a path back. A change noticed meanwhile counts, but does not make the path wait longer in all. */
export function putBack(settling: Settling, path: string, waiting: Waiting): void {
  const later = settling.get(path)
  const firstAt = Math.min(later?.firstAt ?? Infinity, waiting.firstAt)
  settling.set(path, { ...(later ?? waiting), firstAt })
}

/** Lets every path wait as if it had just been noticed for the first time. */
export function startOver(settling: Settling, now: number): void {
  for (const [path, waiting] of settling) settling.set(path, { ...waiting, firstAt: now, lastAt: now })
}

/** The time at which the next path is due; null when none is waiting. */
export function nextDueAt(settling: Settling, patience: Patience): number | null {
  let next: number | null = null
  for (const times of settling.values()) next = Math.min(next ?? Infinity, dueAt(times, patience))
  return next
}

/**
 * How long a file must be stable before its content counts as complete. An empty file is often about to be filled, a
 * large one is often still being written. `settleMs` is the time for an ordinary file.
 */
export function restMsOf(bytes: number, settleMs: number): number {
  if (bytes === 0) return settleMs * 3
  if (bytes <= LARGE_BYTES) return settleMs
  return Math.min(settleMs + (bytes / LARGE_BYTES) * 10, 500)
}

// An editor writes this much at once; a larger file often comes in several writes.
const LARGE_BYTES = 262_144

function dueAt({ firstAt, lastAt, restMs }: Waiting, { quietMs, waitMsMax }: Patience): number {
  return Math.min(lastAt + Math.max(quietMs, restMs), firstAt + waitMsMax)
}
