import {
  EXPORT_GIVE_UP_MS,
  EXPORT_PAUSE_MS,
  EXPORT_PAUSE_MS_MAX,
  EXPORT_RETRY_AFTER_MS_MAX,
} from '../../../core/base/thresholds.ts'

/** How often a receiver has failed in a row, and how long the export has paused for it. */
export type Failures = { readonly count: number; readonly pausedMs: number }

export const NO_FAILURES: Failures = { count: 0, pausedMs: 0 }

/**
 * The pause before something is sent again: what the receiver asks for, or twice as long each time. Null when it is not
 * worth to wait on; one that follows the ledger waits for ever.
 */
export function pauseAfter(
  { count, pausedMs }: Failures,
  { retryAfterMs, isEndless }: { readonly retryAfterMs: number | null; readonly isEndless: boolean },
): number | null {
  const own = Math.min(EXPORT_PAUSE_MS * 2 ** Math.min(count, 20), EXPORT_PAUSE_MS_MAX)
  const pause = Math.min(Math.max(own, retryAfterMs ?? 0), EXPORT_RETRY_AFTER_MS_MAX)
  return isEndless || pausedMs + pause <= EXPORT_GIVE_UP_MS ? pause : null
}

/** The size of the next batch. A refused batch is halved until one record is left, which is then the one refused. */
export function nextBatchSize(size: number, wasRefused: boolean): number {
  return wasRefused ? Math.max(1, Math.floor(size / 2)) : Math.min(BATCH_RECORDS_MAX, size * 2)
}

/** The most records of one request: the default of OpenTelemetry's batch processors. */
export const BATCH_RECORDS_MAX = 512
