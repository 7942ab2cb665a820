import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/ledger/event.ts'
import type { TracedChange, TracedRange, TraceRecord } from '../../../src/core/ledger/record.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'
import { committedLine, dayLister, kindWidth, recordKind, recordLine } from '../../../src/core/report/record-line.ts'

const write: LedgerEvent = { event: 'write', attribution: 'person', source: 'daemon' }

function recordOf(event: LedgerEvent, files: TraceRecord['files'] = []): TraceRecord {
  const chain = { phase: 'working', writer: 'w', seq: 0, prev: null, hash: 'h' } as const
  return {
    version: '0.1.0',
    id: 'i',
    timestamp: '2026-01-02T03:04:05.678Z',
    tool: { name: 'kotef', version: '1' },
    files,
    metadata: { 'dev.kotef': { ...event, ...chain } },
  }
}

function lineOf(path: string, change: Partial<TracedChange>, lines: readonly [number, number][] = []): string {
  const ranges = lines.map(([start_line, end_line]): TracedRange => ({
    start_line,
    end_line,
    content_hash: '',
    line_hashes: '',
  }))
  const whole: TracedChange = { op: 'modify', before: null, after: null, removed: [], ...change }
  const credit = { contributor: { type: 'human' }, session: null, intent: 'INT-1' } as const
  return recordLine(recordOf(write, [tracedFile(path, whole, { ranges, credit })]))
}

test.each([
  [
    'a write',
    lineOf('a', { removed: [{ start_line: 1, lines: 2 }] }, [
      [1, 3],
      [7, 7],
    ]),
    '03:04:05  modify    a  +4 -2  INT-1, human',
  ],
  ['a rename', lineOf('b', { op: 'rename', from: 'a' }), '03:04:05  rename    a -> b  +0 -0  INT-1, human'],
  ['a binary file', lineOf('a', { opaque: 'binary' }), '03:04:05  modify    a  binary  INT-1, human'],
  [
    'a path that would change the line',
    lineOf('a\n\u001b[2J', {}),
    '03:04:05  modify    "a\\n\\u001b[2J"  +0 -0  INT-1, human',
  ],
])('%s is one line: when, what, which lines, for which intent, by whom', (_, line, expected) => {
  expect(line).toBe(expected)
})

test('a later claim comes before what the record says', () => {
  const change = { op: 'modify', before: null, after: null, removed: [] } as const
  const credit = { contributor: { type: 'unknown' }, session: null, intent: null } as const
  const record = recordOf(write, [tracedFile('a', change, { ranges: [], credit })])
  const claim = { by: 'agent', session: 's', model: null, intent: 'INT-2' } as const
  expect(recordLine(record)).toMatch(/no intent, unknown$/)
  expect(recordLine(record, { claim })).toMatch(/INT-2, ai$/)
  expect(recordLine(record, { claim: { ...claim, by: 'person', intent: null } })).toMatch(/no intent, human$/)
})

const request = { session: 's', intent: 'INT-1', kind: 'scope', wants: ['a', 'b\n'] } as const

test.each<[string, LedgerEvent]>([
  [
    'INT-1 PENDING -> BLOCKED (why)',
    { event: 'transition', intent: 'INT-1', from: 'PENDING', to: 'BLOCKED', reason: 'why' },
  ],
  [
    'Write of claude: intent-required',
    { event: 'refused', session: 's', agent: 'claude', tool: 'Write', code: 'intent-required' },
  ],
  ['pid 7', { event: 'daemon-started', pid: 7, preexisting: 0 }],
  ['INT-1 a, "b\\n"', { event: 'requested', ...request, reason: 'r' }],
  ['INT-1 a, "b\\n": `kotef approve 451e4a5f`', { event: 'requested', request: '451e4a5f-x', ...request, reason: 'r' }],
  ['broken', { event: 'violation', rule: 'r', path: null, intent: null, message: 'broken' }],
  [
    'broken (commit 0123456789)',
    { event: 'violation', rule: 'r', path: null, intent: null, message: 'broken', commit: '0123456789abcdef' },
  ],
  ['commit 0123456789', { event: 'skipped', commit: '0123456789abcdef' }],
  [
    'p (not proved that a person did it)',
    { event: 'approved', parent: null, changes: [{ path: 'p', before: null, after: null }] },
  ],
  ['INT-1 by a person', { event: 'attested', intent: 'INT-1', criteria: ['c'], person: 'proved' }],
  ['a by x, m', { event: 'claimed', session: 's', agent: 'x', model: 'm', intent: null, path: 'a', records: [] }],
  ['INT-1', { event: 'intent-added', intent: 'INT-1' }],
  ['', { event: 'initialised' }],
])('an event without a file says %j (solo B9)', (detail, event) => {
  expect(recordLine(recordOf(event))).toBe(`03:04:05  ${event.event.padEnd(9)} ${detail}`.trimEnd())
})

test('a commit is a line of its own (solo B9)', () => {
  const commit = { commit: '0123456789abcdef', committed: '2026-01-02T03:04:05Z', subject: 'Add slug' }
  const more = { date: '', author: '', intents: ['INT-1', 'INT-2'], governance: null }
  expect(committedLine({ ...commit, ...more })).toBe('03:04:05  commit    0123456789 Add slug  INT-1 INT-2')
})

test('a list names the date where it changes, and not that of today alone (solo B7, team A14)', () => {
  const inDays = dayLister(Date.parse('2026-01-03T12:00:00Z'))
  const times = ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-03T10:00:00Z']
  expect(times.flatMap((it, n) => inDays(it, `${n}`))).toEqual(['2026-01-01', '0', '1', '2026-01-03', '2'])
  expect(dayLister(Date.parse('2026-01-03T12:00:00Z'))('2026-01-03T01:00:00Z', 'x')).toEqual(['x'])
})

test('the columns of a list are as wide as its longest kind (look B14)', () => {
  const started = recordOf({ event: 'session-started', session: 's', intent: 'INT-1' })
  const skipped = recordOf({ event: 'skipped', commit: 'c'.repeat(40) })
  expect(kindWidth([skipped].map(recordKind))).toBe(9)
  const width = kindWidth([started, skipped].map(recordKind))
  expect([started, skipped].map(it => recordLine(it, { width }))).toEqual([
    '03:04:05  session-started INT-1',
    '03:04:05  skipped         commit cccccccccc',
  ])
})
