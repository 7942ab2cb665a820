import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../../src/core/ledger/event.ts'
import type { AgentRun } from '../../../../src/core/runs/agent-run.ts'
import { exportedRuns, newRunSpans, runSpan } from '../../../../src/shells/otlp/records/run-span.ts'
import { followSessions, openSpan, type OpenSessions } from '../../../../src/shells/otlp/records/session-spans.ts'
import type { TelemetrySpan } from '../../../../src/shells/otlp/records/signals.ts'
import { sealedLines, WRITE, writeOf } from '../../../rig/telemetry-export.ts'
import { text } from '../../../rig/safe-events.ts'

const started = (session = 's'): LedgerEvent => ({
  event: 'session-started',
  session,
  intent: 'INT-001',
  agent: 'claude',
})
const ended = (session = 's'): LedgerEvent => ({ event: 'session-ended', session, intent: 'INT-001' })

/** The spans of some records, one second apart, and the sessions that stay open. */
function follow(events: readonly (LedgerEvent | 'write')[]): { open: OpenSessions; spans: TelemetrySpan[] } {
  let open: OpenSessions = {}
  const spans: TelemetrySpan[] = []
  const drafts = events.map(event => (event === 'write' ? writeOf('a') : { event }))
  for (const { record } of sealedLines(drafts)) {
    const followed = followSessions(open, record)
    open = followed.open
    if (followed.ended) spans.push(followed.ended)
  }
  return { open, spans }
}

test('a session is a span from its first record to its last, with what it wrote', () => {
  const { open, spans } = follow([started(), 'write', 'write', ended()])
  const from = Date.UTC(2026, 10, 20, 10)
  expect(open).toEqual({})
  expect(spans).toMatchObject([
    {
      ...{ name: 'kotef.session', start: from, end: from + 3_000, parentId: null, failure: null },
      attributes: {
        ...{ 'session.id': 's', 'kotef.intent.id': 'INT-001', 'gen_ai.agent.name': 'claude' },
        ...{ 'kotef.session.writes': 2, 'kotef.session.violations': 0, 'gen_ai.request.model': 'robot' },
      },
    },
  ])
  expect(spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(spans[0]?.spanId).toMatch(/^[0-9a-f]{16}$/)
})

test('the same records are the same spans, and a session that begins again is another span of its trace', () => {
  const [first, again] = [follow([started(), ended(), started(), ended()]), follow([started(), ended()])]
  expect(first.spans[0]).toEqual(again.spans[0])
  expect(first.spans[1]?.traceId).toBe(first.spans[0]?.traceId)
  expect(first.spans[1]?.spanId).not.toBe(first.spans[0]?.spanId)
  expect(follow([started('t'), ended('t')]).spans[0]?.traceId).not.toBe(first.spans[0]?.traceId)
})

test('a session whose beginning was not seen is no span, and its records belong to none', () => {
  const { open, spans } = follow(['write', ended()])
  expect([open, spans, openSpan(open, 's'), openSpan({}, '__proto__')]).toEqual([{}, [], null, null])
})

test('sessions that never end are forgotten when very many began after them', () => {
  const { open } = follow(Array.from({ length: 600 }, (_, n) => started(`s${n}`)))
  expect([Object.keys(open).length, 's99' in open, 's100' in open, 's599' in open]).toEqual([500, false, true, true])
})

test('a write without a session changes nothing', () => {
  const [only] = sealedLines([{ event: WRITE }])
  const open: OpenSessions = {}
  expect(only && followSessions(open, only.record).open).toBe(open)
})

const runOf = (end: AgentRun['state']['end'], startedAt: number | null = 1_000) =>
  ({ terms: { session: 's', intent: 'INT-001' }, state: { end, startedAt, totalSteps: 9 } }) as unknown as AgentRun
const STOPPED = { status: 'aborted_stuck', rule: 'same-call', evidence: text('make failed'), at: 5_000 } as const

test('a run is a span when it has ended, below that of its session, without the evidence', () => {
  expect([runSpan(runOf(null), null), runSpan(runOf(STOPPED, null), null)]).toEqual([null, null])
  const parent = openSpan(follow([started()]).open, 's')
  expect(runSpan(runOf(STOPPED), parent)).toMatchObject({
    ...{ name: 'kotef.run', start: 1_000, end: 5_000, failure: 'same-call', parentId: parent?.spanId },
    attributes: { 'kotef.run.status': 'aborted_stuck', 'kotef.run.steps': 9, 'kotef.rule': 'same-call' },
  })
  expect(JSON.stringify(runSpan(runOf(STOPPED), parent))).not.toContain('make failed')
  expect(runSpan(runOf({ ...STOPPED, status: 'done_success' }), null)).toMatchObject({ failure: null, parentId: null })
})

test('a run is exported once, and again when it went on after its end', () => {
  const [span] = [runSpan(runOf(STOPPED), null)].filter(it => it !== null)
  if (!span) throw new Error('no span')
  expect(newRunSpans([span], {})).toEqual([span])
  expect(newRunSpans([span], exportedRuns([span]))).toEqual([])
  expect(newRunSpans([{ ...span, end: 9_000 }], exportedRuns([span]))).toHaveLength(1)
})
