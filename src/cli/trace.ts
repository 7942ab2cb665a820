import { claimsOf } from '../ledger/claims.ts'
import type { Reading } from '../ledger/read.ts'
import { isWanted, type Wanted } from '../ledger/select.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { KotefError } from '../report/failure.ts'
import { liveLine } from '../report/live.ts'
import { askDaemon } from '../workspace/daemon-address.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { catchUp } from '../workspace/catch-up.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { textOption } from './options.ts'
import type { Call, Run } from './verb.ts'

/** `kotef trace`: the ledger's records, oldest first. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const commit = textOption(call, 'commit')
  if (commit !== null) return (await import('./trace-commit.ts')).traceCommit(workspace, call, commit)
  const wanted = wantedBy(call.options)
  const limit = call.options['limit'] === undefined ? null : wholeNumber(call.options['limit'], '--limit')
  const { behind } = await catchUp(workspace)
  const { records, older, problems } = await askLedger(workspace, { wanted, limit, progress: inTenths(call) })
  warn({ problems, behind }, call)
  if (call.options['follow']) return follow(workspace, call, { records, wanted })
  const claims = claimsOf(records)
  const told = records.map(it => liveLine(it, claims.get(it.id)))
  const lines = [...(older > 0 ? [`… ${older} older records`] : []), ...told]
  return { text: lines.join('\n') || 'The ledger has no such record.', json: records }
}

async function follow(
  workspace: Workspace,
  { options, say }: Call,
  { records, wanted }: { records: readonly TraceRecord[]; wanted: Wanted },
): Promise<null> {
  const print = (record: TraceRecord): void => say(options['json'] ? JSON.stringify(record) : liveLine(record))
  for (const record of records) print(record)
  const answers = await askDaemon(workspace, { ask: 'events' })
  if (!answers) throw new KotefError('daemon-not-running', 'There is no daemon to follow.')
  for await (const answer of answers) if (isWanted(answer as TraceRecord, wanted)) print(answer as TraceRecord)
  return null
}

/** Says what keeps the answer from being all that there is. */
export function warn(
  { problems, behind }: Pick<Reading, 'problems'> & { behind: string | null },
  { tell }: Call,
): void {
  if (behind !== null) tell(`The newest writes may be missing. ${behind}`)
  for (const { file, line, expected, found } of problems) tell(`${file}:${line}: expected ${expected}, found ${found}`)
}

/** Tells how far a long ledger has been read that is asked for the first time, ten times at most. */
export function inTenths({ tell }: Call): (share: number) => void {
  let tenths = 0
  return share => {
    if (Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    tell(`kotef reads what it has not read of the ledger yet: ${tenths * 10} %`)
  }
}

/** The records that the flags of a call ask for. */
export function wantedBy(options: Call['options']): Wanted {
  const { intent, file, session, since } = options as Record<string, string | undefined>
  if (since === undefined) return { intent, file, session }
  const at = Date.parse(since)
  if (Number.isNaN(at))
    throw new KotefError('usage', `--since takes a date such as 2026-11-20 or 2026-11-20T10:00:00Z, not ${since}`)
  return { intent, file, session, since: at }
}

/** A flag's value as a whole number from 1 up. */
export function wholeNumber(value: unknown, flag: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new KotefError('usage', `${flag} takes a whole number from 1 up, not ${String(value)}`)
}
