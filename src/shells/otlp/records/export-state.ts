import type { TraceRecord } from '../../../core/ledger/record.ts'
import { type Counters, countOfRefusal, countOfRun, countsOfRecord, withCounts } from './counters.ts'
import { eventOf, recordLog, sessionOf } from './record-log.ts'
import { type ExportedRuns, exportedRuns, newRunSpans } from './run-span.ts'
import { followSessions, openSpan, type OpenSessions } from './session-spans.ts'
import type { TelemetryLog, TelemetrySpan } from './signals.ts'

/** What an export knows of the records before its cursor. JSON, of bounded size. */
export type ExportState = {
  /** The last exported `seq` of each writer, the latest last. */
  readonly writers: Readonly<Record<string, number>>
  readonly sessions: OpenSessions
  readonly counters: Counters
  readonly runs: ExportedRuns
  /** The ids of the refused writes that kotef still keeps, and that were exported. */
  readonly refusals: readonly string[]
}

/** Nothing was exported. */
export const EMPTY_STATE: ExportState = { writers: {}, sessions: {}, counters: {}, runs: {}, refusals: [] }

/** What is to be sent, and the state when it has been. */
export type ExportPlan = {
  readonly logs: readonly TelemetryLog[]
  readonly spans: readonly TelemetrySpan[]
  readonly state: ExportState
}

type PlanTerms = {
  readonly paths: boolean
  /** Earlier records are not exported, in milliseconds since 1970. */
  readonly since: number | null
}

/**
 * What some records mean, in their order. A record whose place in its writer's chain was exported is left out: the line
 * occurs twice, or the ledger is an older one.
 */
export function planRecords(before: ExportState, records: readonly TraceRecord[], terms: PlanTerms): ExportPlan {
  let { writers, sessions } = before
  const logs: TelemetryLog[] = []
  const spans: TelemetrySpan[] = []
  const counts: ReturnType<typeof countsOfRecord> = []
  for (const record of records) {
    const { writer, seq } = placeOf(record)
    if (seq <= (Object.hasOwn(writers, writer) ? (writers[writer] ?? -1) : -1)) continue
    writers = withWriter(writers, writer, seq)
    const followed = followSessions(sessions, record)
    const session = sessionOf(record)
    const span = openSpan(followed.open, session) ?? openSpan(sessions, session)
    sessions = followed.open
    if (terms.since !== null && Date.parse(record.timestamp) < terms.since) continue
    logs.push(recordLog(record, { paths: terms.paths, span }))
    for (const it of countsOfRecord(record)) counts.push(it)
    if (followed.ended) spans.push(followed.ended)
  }
  return { logs, spans, state: { ...before, writers, sessions, counters: withCounts(before.counters, counts) } }
}

function placeOf(record: TraceRecord): { writer: string; seq: number } {
  const { writer, seq } = eventOf(record)
  return { writer: String(writer), seq: Number(seq) }
}

function withWriter(writers: ExportState['writers'], writer: string, seq: number): ExportState['writers'] {
  if (Object.keys(writers).at(-1) === writer) return { ...writers, [writer]: seq }
  const { [writer]: _, ...others } = writers
  const kept = Object.entries(others).slice(-(WRITERS_MAX - 1))
  return Object.fromEntries([...kept, [writer, seq]])
}

// A worktree has one writer, and another one after each closing of its ledger.
const WRITERS_MAX = 50

/** What is kept beside the ledger at this moment: the runs that have ended, and the refused writes. */
type KeptNow = { readonly runs: readonly TelemetrySpan[]; readonly refusals: readonly TelemetryLog[] }

/** What of it has not been exported. */
export function planKept(before: ExportState, { runs, refusals }: KeptNow): ExportPlan {
  const known = new Set(before.refusals)
  const logs = refusals.filter(it => !known.has(it.uid))
  const spans = newRunSpans(runs, before.runs)
  const counts = [...logs.map(countOfRefusal), ...spans.map(countOfRun)]
  const counters = withCounts(before.counters, counts)
  const state = { ...before, counters, runs: exportedRuns(runs), refusals: refusals.map(it => it.uid) }
  return { logs, spans, state }
}
