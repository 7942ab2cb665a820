import type { Command } from 'commander'
import type { LedgerReading } from '../../ledger/read-ledger.ts'
import type { RecordFilter } from '../../ledger/record-filter.ts'
import { KotefError } from '../../findings/failure.ts'
import type { VerbCall } from '../verb.ts'

/** Adds the flags that select records of the ledger. */
export function addRecordOptions(command: Command): Command {
  return command
    .option('--intent <id>', 'only of this intent')
    .option('--file <path>', 'only of this file')
    .option('--session <id>', 'only of this session')
    .option('--since <time>', 'only from this time on (ISO 8601)')
}

/** The filter that these flags describe; `since` is in milliseconds since 1970. */
export function recordFilterIn(options: VerbCall['options']): RecordFilter {
  const { intent, file, session, since } = options as Record<string, string | undefined>
  if (since === undefined) return { intent, file, session }
  const at = Date.parse(since)
  if (Number.isNaN(at))
    throw new KotefError('usage', `--since takes a date such as 2026-11-20 or 2026-11-20T10:00:00Z, not ${since}`)
  return { intent, file, session, since: at }
}

/** Reports why the answer may be incomplete: writes not recorded yet, and damaged lines of the ledger. */
export function warnIncomplete(
  { problems, behind }: Pick<LedgerReading, 'problems'> & { behind: string | null },
  { notify }: VerbCall,
): void {
  if (behind !== null) notify(`The newest writes may be missing. ${behind}`)
  for (const { file, line, expected, found } of problems)
    notify(`${file}:${line}: expected ${expected}, found ${found}`)
}

/** Reports how much of a long ledger has been indexed, at most ten times. */
export function progressInTenths({ notify }: VerbCall): (share: number) => void {
  let tenths = 0
  return share => {
    if (Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    notify(`kotef is indexing the ledger: ${tenths * 10} %`)
  }
}
