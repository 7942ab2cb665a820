import type { TraceRecord } from '../ledger/record.ts'
import { toKotefError } from '../report/failure.ts'

/** What a daemon has to tell while it runs: a closed union. */
export type DaemonEvent =
  | { readonly event: 'ready'; readonly pid: number; readonly missed: number; readonly preexisting: number }
  | { readonly event: 'recorded'; readonly record: TraceRecord }
  | { readonly event: 'problem'; readonly code: string; readonly message: string }
  | { readonly event: 'stopped' }

/** Hands news to whoever started the daemon, and records to whoever listens at its socket. */
export function newsTo(tell: (event: DaemonEvent) => void, now: () => number) {
  let last = { message: '', at: 0 }
  const listeners = new Set<(record: TraceRecord) => void>()
  return {
    recorded(records: readonly TraceRecord[]): void {
      for (const record of records) {
        tell({ event: 'recorded', record })
        for (const listener of listeners) listener(record)
      }
    },
    failed(reason: unknown): void {
      const { code, message } = toKotefError(reason)
      if (message === last.message && now() - last.at < AGAIN_MS) return
      last = { message, at: now() }
      tell({ event: 'problem', code, message })
    },
    /** What went wrong since a time, or undefined. */
    problemSince: (at: number): string | undefined =>
      last.at >= at - AGAIN_MS && last.at > 0 ? last.message : undefined,
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

// What is tried again every second is told again after a minute.
const AGAIN_MS = 60_000
