import type { OriginVerdict } from '../../core/authorship/change-origin/classify.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import type { DeclarationConflict } from '../../core/code/map/conflicts.ts'
import { toKotefError } from '../../core/base/failure.ts'

/** The events that a daemon reports while it runs: a closed union. */
export type DaemonEvent =
  | { readonly event: 'ready'; readonly pid: number; readonly missed: number; readonly preexisting: number }
  | { readonly event: 'recorded'; readonly record: TraceRecord }
  | ({ readonly event: 'judged'; readonly path: string } & OriginVerdict)
  /** A declaration is being changed for two intents at the same time. */
  | { readonly event: 'conflict'; readonly conflict: DeclarationConflict }
  | { readonly event: 'problem'; readonly code: string; readonly message: string }
  | { readonly event: 'stopped' }

/** Passes events to the daemon's output, and records to the listeners at its socket. `ticks` is the clock's. */
export function eventSink(emit: (event: DaemonEvent) => void, ticks: () => number) {
  let work = 0
  let last: { readonly message: string; readonly at: number } | null = null
  const reported = new Map<string, number>()
  const listeners = new Set<(record: TraceRecord) => void>()
  return {
    recorded(records: readonly TraceRecord[]): void {
      work += records.length
      for (const record of records) {
        emit({ event: 'recorded', record })
        for (const listener of listeners) listener(record)
      }
    },
    /** With KOTEF_LOG=debug, which row decided between git and a person. */
    judged(path: string, verdict: OriginVerdict): void {
      work++
      const decides = verdict.origin === 'git' || verdict.origin === 'person'
      if (decides && process.env['KOTEF_LOG'] === 'debug') emit({ event: 'judged', path, ...verdict })
    },
    failed(reason: unknown): void {
      const { code, message } = toKotefError(reason)
      last = { message, at: ticks() }
      for (const [known, at] of reported) if (last.at - at >= REPEAT_AFTER_MS) reported.delete(known)
      const sameAs = message.replace(TEMPORARY_NAME, '')
      if (reported.has(sameAs)) return
      reported.set(sameAs, last.at)
      emit({ event: 'problem', code, message })
    },
    /** How many paths were judged and records written so far. */
    work: () => work,
    /** The last problem since a time (in ticks), or undefined. A lasting problem comes again with each retry. */
    problemSince: (at: number): string | undefined =>
      last && last.at >= at - RETRY_WINDOW_MS ? last.message : undefined,
    isListenedTo: () => listeners.size > 0,
    listen(listener: (record: unknown) => void, gone: AbortSignal): Promise<void> {
      listeners.add(listener)
      return new Promise(resolve => {
        gone.addEventListener('abort', () => {
          listeners.delete(listener)
          resolve()
        })
      })
    },
  }
}

// A lasting problem is retried every second, and printed once a minute.
const REPEAT_AFTER_MS = 60_000
// Longer than the pause between two retries, so that a lasting problem is found.
const RETRY_WINDOW_MS = 2_000

// The name of a temporary file differs at every retry; the problem is the same.
const TEMPORARY_NAME = /\.\d+\.\d+\.tmp|diff-\w{6}/g
