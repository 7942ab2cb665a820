import { FILE_CLOCK_TICK_MS, ONE_WRITE_MS, PROMPT_EVENT_MS } from '../../base/thresholds.ts'

/** A time in which git held the index, in milliseconds since 1970; its begin is `certain`, or as early as may be. */
export type LockInterval = { readonly from: number; readonly to: number; readonly certain: boolean }

/** While no daemon watched, git may have been at work at any time. */
export const UNKNOWN_INTERVAL: LockInterval = { from: -Infinity, to: Infinity, certain: true }

/** When a file's content, and anything at all of it, last changed, and when an event reported it, if one did. */
export type FileTimes = { readonly modifiedAt: number; readonly changedAt: number; readonly eventAt: number | null }

/** Whether git may have held the index when a file was written, and nobody has touched the file since. */
export function isWrittenUnderLock(
  { modifiedAt, changedAt, eventAt }: FileTimes,
  intervals: readonly LockInterval[],
): boolean {
  // Git writes a file in one go. One that was moved, linked, or given other rights came there by another hand.
  if (Math.abs(changedAt - modifiedAt) >= ONE_WRITE_MS) return false
  if (intervals.some(({ from, to }) => changedAt >= from && changedAt < to + 1)) return true
  // Where a file's event was late, those of the index were as well, and its next lock hides the one before.
  return eventAt !== null && eventAt - changedAt > PROMPT_EVENT_MS && intervalsSince(intervals, changedAt).length > 0
}

/** The intervals that were not over at a time. */
export function intervalsSince(intervals: readonly LockInterval[], time: number): readonly LockInterval[] {
  return intervals.filter(it => it.to >= time - FILE_CLOCK_TICK_MS)
}
