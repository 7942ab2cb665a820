import type { Command } from 'commander'
import type { LedgerReading } from '../../../core/ledger/read-ledger.ts'
import type { VerbCall } from '../verb.ts'

/** Adds the flags that select records of the ledger. */
export function addRecordOptions(command: Command): Command {
  return command
    .option('--intent <id>', 'only of this intent')
    .option('--file <path>', 'only of this file')
    .option('--session <id>', 'only of this session; the beginning of its id is enough')
    .option('--since <time>', 'only from this time on: a date, or as for git log, such as yesterday')
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
