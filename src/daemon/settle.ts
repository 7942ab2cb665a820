/**
 * Waiting until a file has been left alone.
 *
 *   noticed -> waiting --quiet for quietMs--> due --rested for its size--> read
 *                 ^------noticed again------'  |
 *                 ^--------not rested----------'
 *
 * A file that never rests is read after waitMsMax. Time is a number: the clock's ticks, handed in by the caller.
 */
export type Settling = Map<string, Waiting>

/** How long a path has been waited for; `restMs` is how long it must rest when that is longer than usual. */
export type Waiting = { readonly firstAt: number; readonly lastAt: number; readonly restMs: number }

export type Patience = { readonly quietMs: number; readonly waitMsMax: number }

/** Takes note of a sign of life of a path. */
export function notice(settling: Settling, path: string, at: number): void {
  settling.set(path, { firstAt: settling.get(path)?.firstAt ?? at, lastAt: at, restMs: 0 })
}

/** Takes out what has settled by `now`. */
export function takeDue(settling: Settling, now: number, patience: Patience): [string, Waiting][] {
  const due = [...settling].filter(([, waiting]) => dueAt(waiting, patience) <= now)
  for (const [path] of due) settling.delete(path)
  return due
}

/** How a file stands without a look into it: its size, and how long ago its stamp says that it was written. */
export type Outline = { readonly bytes: number; readonly ageMs: number }

/** What a path that is due has still to wait, by how its file stands; null when it may be read. */
export function restOf(
  waiting: Waiting,
  { bytes, ageMs }: Outline,
  { now, patience }: { readonly now: number; readonly patience: Patience },
): Waiting | null {
  if (now - waiting.firstAt >= patience.waitMsMax) return null
  const restMs = restMsOf(bytes, patience.quietMs)
  // The stamp tells of a write before its event does. One from the future tells nothing: clocks and stamps are set.
  const lastAt = ageMs < 0 ? waiting.lastAt : now - ageMs
  return now - lastAt >= restMs ? null : { firstAt: waiting.firstAt, lastAt, restMs }
}

/**
 * What a path that is gone has still to wait: git takes files away some time before HEAD tells of it, and longer where
 * a hook is in between. A merge that fails puts back what was gone, and takes it away again. `gitMovedAt` is when
 * something last happened in the git directory.
 */
export function restOfGone(
  { firstAt }: Waiting,
  { now, gitMovedAt, patience }: { readonly now: number; readonly gitMovedAt: number; readonly patience: Patience },
): Waiting | null {
  if (now - gitMovedAt >= GONE_MS || now - firstAt >= patience.waitMsMax) return null
  return { firstAt, lastAt: gitMovedAt, restMs: GONE_MS }
}

// Some hooks of references take a quarter of a second, as that of git-branchless does.
const GONE_MS = 300

/** Puts a path back; what was noticed of it meanwhile is the later word, but does not make it wait longer in all. */
export function putBack(settling: Settling, path: string, waiting: Waiting): void {
  const later = settling.get(path)
  const firstAt = Math.min(later?.firstAt ?? Infinity, waiting.firstAt)
  settling.set(path, { ...(later ?? waiting), firstAt })
}

/** Lets everything wait as if it had just been noticed for the first time. */
export function startOver(settling: Settling, now: number): void {
  for (const [path, waiting] of settling) settling.set(path, { ...waiting, firstAt: now, lastAt: now })
}

/** The next moment at which something is due, or null when there is nothing to wait for. */
export function nextDueAt(settling: Settling, patience: Patience): number | null {
  let next: number | null = null
  for (const times of settling.values()) next = Math.min(next ?? Infinity, dueAt(times, patience))
  return next
}

/**
 * How much longer a file must rest before its content counts as complete: an empty file is often about to be filled,
 * a large one is often still being written. `settleMs` is the patience with an ordinary file.
 */
export function restMsOf(bytes: number, settleMs: number): number {
  if (bytes === 0) return settleMs * 3
  if (bytes <= LARGE_BYTES) return settleMs
  return Math.min(settleMs + (bytes / LARGE_BYTES) * 10, 500)
}

const LARGE_BYTES = 262_144

function dueAt({ firstAt, lastAt, restMs }: Waiting, { quietMs, waitMsMax }: Patience): number {
  return Math.min(lastAt + Math.max(quietMs, restMs), firstAt + waitMsMax)
}
