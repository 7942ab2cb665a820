import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordDraft } from '../../../../src/core/ledger/record.ts'
import { ATTRIBUTE_NAMES } from '../../../../src/shells/otlp/records/attribute-names.ts'
import {
  type Counters,
  countsOfRecord,
  METRICS,
  metricsOf,
  withCounts,
} from '../../../../src/shells/otlp/records/counters.ts'
import { freshCursor, readExportCursor } from '../../../../src/shells/otlp/records/export-cursor.ts'
import { EMPTY_STATE, planKept, planRecords } from '../../../../src/shells/otlp/records/export-state.ts'
import { NO_FAILURES, nextBatchSize, pauseAfter } from '../../../../src/shells/otlp/records/pace.ts'
import { refusalLog } from '../../../../src/shells/otlp/records/refusal-log.ts'
import { sealedLines, writeOf } from '../../../rig/telemetry-export.ts'

const TERMS = { paths: true, since: null }
const STARTED = { event: 'session-started', session: 's', intent: 'INT-001', agent: 'claude' } as const
const DRAFTS: readonly RecordDraft[] = [
  { event: STARTED },
  writeOf('a'),
  { event: { event: 'violation', rule: 'in-scope', path: 'b', intent: null, message: 'm' } },
  { event: { event: 'problem', path: 'b', message: 'm' } },
  { event: { event: 'check-run', intent: 'INT-001', command: 'c', exit: 0, timed_out: false, status: 'passed' } },
  writeOf('b'),
  { event: { event: 'session-ended', session: 's', intent: 'INT-001' } },
]
const records = sealedLines(DRAFTS).map(it => it.record)

const totals = (counters: Counters) =>
  Object.fromEntries(metricsOf(counters).map(it => [it.name, it.points.reduce((sum, { value }) => sum + value, 0)]))

test('however records are cut into batches, the same logs, spans and counters come of them', () => {
  const whole = planRecords(EMPTY_STATE, records, TERMS)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: records.length }), { maxLength: 5 }), cuts => {
      const at = [0, ...cuts.sort((a, b) => a - b), records.length]
      let state = EMPTY_STATE
      const [logs, spans]: [unknown[], unknown[]] = [[], []]
      for (const [n, from] of at.entries()) {
        const plan = planRecords(state, records.slice(from, at[n + 1] ?? from), TERMS)
        state = JSON.parse(JSON.stringify(plan.state)) as typeof state
        logs.push(...plan.logs)
        spans.push(...plan.spans)
      }
      expect({ logs, spans, state }).toEqual(whole)
    }),
  )
})

test('a record of which the place in its chain was exported is left out', () => {
  const { state } = planRecords(EMPTY_STATE, records.slice(0, 3), TERMS)
  expect(planRecords(state, records, TERMS).logs.map(it => it.uid)).toEqual(['w-3', 'w-4', 'w-5', 'w-6'])
  const other = sealedLines(DRAFTS, { writer: 'x' }).map(it => it.record)
  expect(planRecords(state, other, TERMS).logs).toHaveLength(DRAFTS.length)
})

test('of records before a moment only their sessions are known', () => {
  const since = Date.UTC(2026, 10, 20, 10, 0, 5)
  const { logs, spans, state } = planRecords(EMPTY_STATE, records, { paths: true, since })
  expect(logs.map(it => it.uid)).toEqual(['w-5', 'w-6'])
  expect(spans).toHaveLength(1)
  expect(logs[0]?.span).toMatchObject({ spanId: spans[0]?.spanId })
  expect(totals(state.counters)).toMatchObject({ 'kotef.records': 2, 'kotef.writes': 1 })
})

test('each event is counted', () => {
  expect(totals(planRecords(EMPTY_STATE, records, TERMS).state.counters)).toEqual({
    ...{ 'kotef.records': 7, 'kotef.writes': 2, 'kotef.lines': 10, 'kotef.violations': 1, 'kotef.problems': 1 },
    ...{ 'kotef.checks': 1, 'kotef.sessions.started': 1, 'kotef.sessions.ended': 1 },
  })
})

test('a counter has no attributes but those of the table', () => {
  for (const { name, points } of metricsOf(planRecords(EMPTY_STATE, records, TERMS).state.counters)) {
    const by: readonly string[] = METRICS[name as keyof typeof METRICS].by.map(it => ATTRIBUTE_NAMES[it])
    expect([name, points.flatMap(it => Object.keys(it.attributes)).filter(it => !by.includes(it))]).toEqual([name, []])
  }
})

test('very many sets of attributes are counted together from some number on', () => {
  let counters: Counters = {}
  const event = (n: number) => ({ event: 'violation', rule: `r${n}`, path: null, intent: null, message: '' }) as const
  const many = sealedLines(Array.from({ length: 3_000 }, (_, n) => ({ event: event(n) })))
  for (let n = 0; n < many.length; n += 700)
    counters = withCounts(
      counters,
      many.slice(n, n + 700).flatMap(it => countsOfRecord(it.record)),
    )
  const violations = metricsOf(counters).find(it => it.name === 'kotef.violations')
  const overflow = violations?.points.find(it => it.attributes['otel.metric.overflow'])
  expect([violations?.points.length, overflow?.value]).toEqual([2_000, 1_001])
  expect(totals(counters)['kotef.violations']).toBe(3_000)
})

test('metrics are in the order of their table', () => {
  const names = metricsOf(planRecords(EMPTY_STATE, records, TERMS).state.counters).map(it => it.name)
  expect(names).toEqual(Object.keys(METRICS).filter(it => names.includes(it)))
})

test('a refused write is exported once, until kotef no longer keeps it', () => {
  const refusal = { session: 's', agent: 'claude', head: 'h', code: 'scope-violation', path: 'lib/a.ts' }
  const log = refusalLog(refusal, { paths: true, span: null })
  const first = planKept(EMPTY_STATE, { runs: [], refusals: [log] })
  expect([first.logs, first.state.refusals]).toEqual([[log], [log.uid]])
  expect(planKept(first.state, { runs: [], refusals: [log] }).logs).toEqual([])
  const other = refusalLog({ ...refusal, head: 'later' }, { paths: false, span: null })
  expect(planKept(first.state, { runs: [], refusals: [other] }).logs).toEqual([other])
  expect([log.body, other.body]).toEqual(['refused scope-violation lib/a.ts', 'refused scope-violation'])
  expect(JSON.stringify(other)).not.toContain('lib/a.ts')
})

test('a cursor is read as it was saved, and anything else is none', () => {
  const { state, spans } = planRecords(EMPTY_STATE, records, TERMS)
  const cursor = { ...freshCursor({ id: 'i', now: 1, since: null }), state, spans }
  expect(readExportCursor(JSON.stringify(cursor))).toEqual(cursor)
  const damaged = [
    ...['', 'null', '[]', '{}', JSON.stringify(cursor).slice(0, -5), JSON.stringify({ ...cursor, version: 2 })],
    ...[{ spans: 1 }, { ledger: null }, { ledger: { byte: '1', line: 1, last: null } }, { state: {} }, { id: 7 }].map(
      it => JSON.stringify({ ...cursor, ...it }),
    ),
  ]
  expect(damaged.filter(it => readExportCursor(it) !== null)).toEqual([])
})

test('pauses double up to a minute, a receiver may ask for longer ones, and five minutes are enough', () => {
  const ask = (count: number, pausedMs: number, retryAfterMs: number | null = null, isEndless = false) =>
    pauseAfter({ count, pausedMs }, { retryAfterMs, isEndless })
  expect([ask(0, 0), ask(3, 0), ask(9, 0), ask(1_000, 0)]).toEqual([1_000, 8_000, 60_000, 60_000])
  expect([ask(0, 0, 90_000), ask(0, 0, 10), ask(0, 0, 9e9, true)]).toEqual([90_000, 1_000, 600_000])
  expect([ask(9, 240_000), ask(9, 240_001), ask(9, 240_001, null, true), ask(0, 0, 300_001)]).toEqual([
    ...[60_000, null, 60_000, null],
  ])
  expect(pauseAfter(NO_FAILURES, { retryAfterMs: null, isEndless: false })).toBe(1_000)
})

test('a batch is halved down to one record, and grows again', () => {
  const sizes = [512]
  for (let n = 0; n < 11; n++) sizes.push(nextBatchSize(sizes.at(-1) ?? 0, true))
  expect(sizes).toEqual([512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 1])
  expect([nextBatchSize(1, false), nextBatchSize(512, false)]).toEqual([2, 512])
})
