import type { TraceRecord } from '../../../core/ledger/record.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import type { CheckFacts, IntentSession, RecordsRead } from '../pages/intent-facts.ts'
import { checkStatusOf } from '../pages/happenings.ts'
import { HISTORY_RECORDS_MAX } from '../pages/intent-lists.ts'
import type { Criterion } from '../../../core/intents/intent.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The newest records of an intent, and how many there are. */
export type IntentRecords = { readonly records: readonly TraceRecord[]; readonly read: RecordsRead }

/** The newest records of an intent: a page shows what happened, and an old intent may have a million. */
export async function readIntentRecords(workspace: Workspace, intent: string): Promise<IntentRecords> {
  const { records, older } = await queryLedger(workspace, { wanted: { intent }, limit: HISTORY_RECORDS_MAX })
  return { records, read: { all: records.length + older, read: records.length } }
}

/** The sessions of an intent, with the number of all their records for it. */
export async function withRecordCounts(
  workspace: Workspace,
  { intent, read }: { readonly intent: string; readonly read: RecordsRead },
  sessions: readonly IntentSession[],
): Promise<readonly IntentSession[]> {
  // Where all records of the intent were read, those of a session are counted already.
  if (read.read >= read.all) return sessions
  return Promise.all(
    sessions.map(async it => {
      const { records, older } = await queryLedger(workspace, { wanted: { intent, session: it.id }, limit: 0 })
      return { ...it, records: records.length + older }
    }),
  )
}

/** The last result of each check, and the last attestation of each criterion, in some records. */
export function lastResults(criteria: readonly Criterion[], records: readonly TraceRecord[]): CheckFacts[] {
  const results = new Map<string, NonNullable<CheckFacts['last']>>()
  for (const { timestamp: at, metadata } of records) {
    const own = metadata['dev.kotef']
    if (own.event === 'check-run')
      results.set(keyOf(own.command, true), { status: checkStatusOf(own), at, isKept: own.kept === true })
    if (own.event === 'attested' && Array.isArray(own.criteria))
      for (const it of own.criteria) results.set(keyOf(it, false), { status: 'attested', at, isKept: false })
  }
  return criteria.map(it => {
    const [text, isCommand] = typeof it === 'string' ? [it, false] : [it.cmd, true]
    return { text, isCommand, last: results.get(keyOf(text, isCommand)) ?? null }
  })
}

// A person may attest a criterion that reads like a command.
function keyOf(text: string, isCommand: boolean): string {
  return `${isCommand} ${text}`
}
