import { join } from 'node:path/posix'
import { closedLedgerOf } from '../ledger/chain.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { plural, printable } from '../base/printable.ts'
import { momentText } from './local-time.ts'

/** What the first record of a ledger says about the one before it; null when there was none. */
export function closedLedgerLine(
  record: TraceRecord | null,
  { folder, now }: { readonly folder: string; readonly now: number },
): string | null {
  const closed = record && closedLedgerOf(record)
  const own = record?.metadata['dev.kotef']
  if (!closed || own?.event !== 'ledger-closed') return null
  const { records, files } = closed
  const what = `A ledger of ${plural(records, 'record')} was closed ${momentText(record.timestamp, now)}`
  const paths = files.map(it => printable(join(folder, it.name)))
  return `${what} (${printable(own.reason)}): ${paths.join(' and ') || 'its file was gone'}`
}
