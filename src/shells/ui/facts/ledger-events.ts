import { ledgerSize } from '../../../world/ledger/open-ledger.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import type { TraceRecord } from '../../../core/ledger/record.ts'
import type { ViolationQuery } from '../pages/links.ts'
import { momentOf } from '../pages/periods.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import type { ViolationFacts } from '../pages/stats-facts.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type SlowSource, slowSource } from './slow-source.ts'
import { periodIndex, periodsOf } from './tally-lines.ts'

const sources = new WeakMap<Workspace, SlowSource<readonly TraceRecord[]>>()

/** Asks for the records of violations, of requests and of refused calls, and waits for them as long as `wait`. */
export async function askEvents(
  workspace: Workspace,
  wait: Promise<unknown> | null,
): Promise<SlowFacts<readonly TraceRecord[]>> {
  const source = sources.get(workspace) ?? openEvents(workspace)
  sources.set(workspace, source)
  return source.ask(String(await ledgerSize(workspace)), wait)
}

const EVENTS = ['violation', 'requested', 'granted', 'rejected', 'refused'] as const

/** The records of an event, with the last of them and their number, which change with each new one. */
type KnownEvent = { readonly stamp: string; readonly records: readonly TraceRecord[] }

function openEvents(workspace: Workspace): SlowSource<readonly TraceRecord[]> {
  const known = new Map<string, KnownEvent>()
  return slowSource(async (_, progress) => {
    for (const event of EVENTS)
      known.set(event, await readEvent(workspace, { event, known: known.get(event), progress }))
    return EVENTS.flatMap(it => known.get(it)?.records ?? [])
  })
}

type EventReading = {
  readonly event: string
  readonly known: KnownEvent | undefined
  readonly progress: (share: number) => void
}

// The catalogue says where the records are; they are read again only when there are others.
async function readEvent(workspace: Workspace, { event, known, progress }: EventReading): Promise<KnownEvent> {
  const { records: last, older } = await queryLedger(workspace, { wanted: { event }, limit: 1, progress })
  const stamp = `${last[0]?.id ?? ''} ${older}`
  if (known?.stamp === stamp) return known
  return { stamp, records: (await queryLedger(workspace, { wanted: { event }, limit: null })).records }
}

/** The records that a filter lets pass. */
export function selectEvents(
  records: readonly TraceRecord[],
  { intent, since, until }: Pick<ViolationQuery, 'intent' | 'since' | 'until'>,
): TraceRecord[] {
  const from = since === undefined ? null : momentOf(since)
  const to = until === undefined ? null : momentOf(until)
  return records.filter(({ timestamp, metadata: { 'dev.kotef': own } }) => {
    const at = Date.parse(timestamp)
    const isWanted = intent === undefined || ('intent' in own && own.intent === intent)
    return isWanted && (from === null || at >= from) && (to === null || at < to)
  })
}

/** The violations among some records, of a rule or of any. */
export function violationsOf(records: readonly TraceRecord[], rule?: string): TraceRecord[] {
  return records.filter(it => {
    const own = it.metadata['dev.kotef']
    return own.event === 'violation' && (rule === undefined || own.rule === rule)
  })
}

/** Counts violations by rule and over time, and requests by what became of them. */
export function tallyEvents(records: readonly TraceRecord[]): ViolationFacts {
  const violations = violationsOf(records)
  const countOf = (event: string) => records.filter(it => it.metadata['dev.kotef'].event === event).length
  return {
    violations: violations.length,
    rules: ruleCounts(violations),
    periods: periodCounts(violations),
    requested: countOf('requested'),
    granted: countOf('granted'),
    rejected: countOf('rejected'),
    refused: countOf('refused'),
  }
}

function ruleCounts(violations: readonly TraceRecord[]): ViolationFacts['rules'] {
  const counts = new Map<string, number>()
  for (const { metadata } of violations) {
    const own = metadata['dev.kotef']
    if (own.event === 'violation') counts.set(own.rule, (counts.get(own.rule) ?? 0) + 1)
  }
  return [...counts]
    .map(([rule, count]) => ({ rule, count }))
    .sort((one, other) => other.count - one.count || (one.rule < other.rule ? -1 : 1))
}

function periodCounts(violations: readonly TraceRecord[]): ViolationFacts['periods'] {
  const moments = violations.map(it => Date.parse(it.timestamp)).filter(it => !Number.isNaN(it))
  const periods = periodsOf(moments)
  const counts = periods.map(() => 0)
  for (const at of moments) {
    const n = periodIndex(periods, at)
    counts[n] = (counts[n] ?? 0) + 1
  }
  return periods.map((period, n) => ({ period, count: counts[n] ?? 0 })).filter(it => it.count > 0)
}
