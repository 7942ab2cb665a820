import { setTimeout as wait } from 'node:timers/promises'
import { KotefError } from '../../../core/base/failure.ts'
import type { OtlpAnswer } from '../sending/otlp-answer.ts'
import { type Failures, NO_FAILURES, pauseAfter } from '../records/pace.ts'
import { printable } from '../../../core/base/printable.ts'

/** How an export goes on when its receiver fails. */
export type ExportPatience = {
  /** The receiver, as it is printed. */
  readonly shown: string
  /** True for an export that follows the ledger: it never gives up. */
  readonly isEndless: boolean
  /** Aborted when the export has to end. */
  readonly stop: AbortSignal
  /** Waits, or until `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<void>
  readonly notify: (line: string) => void
}

/** What became of values that were sent, perhaps more than once. */
export type Delivery =
  | Extract<OtlpAnswer, { outcome: 'acknowledged' }>
  /** The receiver can't read them. */
  | { readonly outcome: 'unreadable'; readonly message: string }
  | { readonly outcome: 'stopped' }

/**
 * Sends values until the receiver has answered. Throws when it refuses all that is sent, and when it has failed for too
 * long.
 */
export async function deliver(ask: () => Promise<OtlpAnswer>, patience: ExportPatience): Promise<Delivery> {
  const { shown, stop, notify } = patience
  for (let failures = NO_FAILURES; ;) {
    const answer = await ask()
    if (answer.outcome === 'acknowledged') {
      if (failures.count > 0) notify(`${shown} answers again.`)
      return answer
    }
    const message = printable(answer.message)
    if (answer.outcome === 'refused') {
      if (UNREADABLE.has(answer.status)) return { outcome: 'unreadable', message }
      throw new KotefError('export-failed', `${shown} refuses the telemetry: ${message}`)
    }
    if (stop.aborted) return { outcome: 'stopped' }
    failures = await afterPause(failures, { message, retryAfterMs: answer.retryAfterMs }, patience)
  }
}

// Of a request that can't be read, a part may be read. Any other refusal is one of all requests.
const UNREADABLE: ReadonlySet<number | null> = new Set([400, 413])

type Failure = { readonly message: string; readonly retryAfterMs: number | null }

async function afterPause(
  failures: Failures,
  { message, retryAfterMs }: Failure,
  { shown, isEndless, stop, pause, notify }: ExportPatience,
): Promise<Failures> {
  const ms = pauseAfter(failures, { retryAfterMs, isEndless })
  if (ms === null)
    throw new KotefError('export-failed', `${shown} takes no telemetry: ${message}. The cursor stays where it is.`)
  if (failures.count === 0) notify(`${shown} takes no telemetry now: ${message}. kotef tries again.`)
  await pause(ms, stop)
  return { count: failures.count + 1, pausedMs: failures.pausedMs + ms }
}

/** Waits for a time, or until the signal is aborted. */
export async function pauseUnlessStopped(ms: number, stop: AbortSignal): Promise<void> {
  await wait(ms, null, { signal: stop }).catch(() => {})
}
