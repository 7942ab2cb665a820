import type { TraceRecord } from '../ledger/record.ts'
import { toKotefError } from '../report/failure.ts'

/** What a daemon has to tell while it runs: a closed union. */
export type DaemonEvent =
  | { readonly event: 'ready'; readonly pid: number; readonly missed: number; readonly preexisting: number }
  | { readonly event: 'recorded'; readonly record: TraceRecord }
  | { readonly event: 'problem'; readonly code: string; readonly message: string }
  | { readonly event: 'stopped' }

/** Hands news to whoever started the daemon, and records to whoever listens at its socket. */
export function newsTo(tell: (event: DaemonEvent) => void) {
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
      tell({ event: 'problem', code, message })
    },
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
