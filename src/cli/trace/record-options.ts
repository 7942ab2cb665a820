import type { Command } from 'commander'
import type { LedgerReading } from '../../ledger/read-ledger.ts'
import type { RecordFilter } from '../../ledger/record-filter.ts'
import { KotefError } from '../../findings/failure.ts'
import type { VerbCall } from '../verb.ts'

/** The flags that select records of the ledger. */
export function addRecordOptions(command: Command): Command {
  return command
    .option('--intent <id>', 'only of this intent')
    .option('--file <path>', 'only of this file')
    .option('--session <id>', 'only of this session')
    .option('--since <time>', 'only from this time on (ISO 8601)')
}

/** The records that the flags of a call ask for. */
export function recordFilterIn(options: VerbCall['options']): RecordFilter {
  const { intent, file, session, since } = options as Record<string, string | undefined>
  if (since === undefined) return { intent, file, session }
  const at = Date.parse(since)
  if (Number.isNaN(at))
    throw new KotefError('usage', `--since takes a date such as 2026-11-20 or 2026-11-20T10:00:00Z, not ${since}`)
  return { intent, file, session, since: at }
}

/** Says what keeps the answer from being all that there is. */
export function warnIncomplete(
  { problems, behind }: Pick<LedgerReading, 'problems'> & { behind: string | null },
  { notify: tell }: VerbCall,
): void {
  if (behind !== null) tell(`The newest writes may be missing. ${behind}`)
  for (const { file, line, expected, found } of problems) tell(`${file}:${line}: expected ${expected}, found ${found}`)
}

/** Tells how far a long ledger has been read that is asked for the first time, ten times at most. */
export function progressInTenths({ notify: tell }: VerbCall): (share: number) => void {
  let tenths = 0
  return share => {
    if (Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    tell(`kotef is indexing the ledger: ${tenths * 10} %`)
  }
}
