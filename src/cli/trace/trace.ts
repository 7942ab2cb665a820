import { authorshipClaims } from '../../ledger/authorship-claims.ts'
import type { LedgerReading } from '../../ledger/read-ledger.ts'
import { matchesFilter, type RecordFilter } from '../../ledger/record-filter.ts'
import type { TraceRecord } from '../../ledger/record.ts'
import { KotefError } from '../../findings/failure.ts'
import { recordLine } from '../../report/record-line.ts'
import { askDaemon } from '../../daemon-client/daemon-address.ts'
import { queryLedger } from '../../ledger-store/query-ledger.ts'
import { catchUpLedger } from '../../commits/catch-up.ts'
import { openWorkspace, type Workspace } from '../../worktree/workspace.ts'
import { textOption } from '../options.ts'
import type { VerbCall, RunVerb } from '../verb.ts'

/** `kotef trace`: the ledger's records, oldest first. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const commit = textOption(call, 'commit')
  if (commit !== null) return (await import('./commit.ts')).traceCommit(workspace, call, commit)
  const wanted = recordFilterIn(call.options)
  const limit = call.options['limit'] === undefined ? null : parseWholeNumber(call.options['limit'], '--limit')
  const { behind } = await catchUpLedger(workspace)
  const { records, older, problems } = await queryLedger(workspace, { wanted, limit, progress: progressInTenths(call) })
  warnIncomplete({ problems, behind }, call)
  if (call.options['follow']) return followRecords(workspace, call, { records, wanted })
  const claims = authorshipClaims(records)
  const recordLines = records.map(it => recordLine(it, claims.get(it.id)))
  const lines = [...(older > 0 ? [`… ${older} older records`] : []), ...recordLines]
  return { text: lines.join('\n') || 'The ledger has no such record.', json: records }
}

async function followRecords(
  workspace: Workspace,
  { options, print: say }: VerbCall,
  { records, wanted }: { records: readonly TraceRecord[]; wanted: RecordFilter },
): Promise<null> {
  const print = (record: TraceRecord): void => say(options['json'] ? JSON.stringify(record) : recordLine(record))
  for (const record of records) print(record)
  const answers = await askDaemon(workspace, { ask: 'events' })
  if (!answers) throw new KotefError('daemon-not-running', 'There is no daemon to follow.')
  for await (const answer of answers) if (matchesFilter(answer as TraceRecord, wanted)) print(answer as TraceRecord)
  return null
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
    tell(`kotef reads what it has not read of the ledger yet: ${tenths * 10} %`)
  }
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

/** A flag's value as a whole number from 1 up. */
export function parseWholeNumber(value: unknown, flag: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new KotefError('usage', `${flag} takes a whole number from 1 up, not ${String(value)}`)
}
