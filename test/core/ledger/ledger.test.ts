import { expect, test } from 'vitest'
import { verifyChain } from '../../rig/ledger-events.ts'
import { continuityFollower } from '../../../src/core/ledger/chain.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { seal } from '../../../src/core/ledger/seal.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'

const uuid = (n: number): `${string}-${string}-${string}-${string}-${string}` =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** A ledger of so many writes of one file, as lines and as the head that its writer remembers. */
function ledgerOf(count: number) {
  const lines: string[] = []
  let last: TraceRecord | null = null
  for (let seq = 0; seq < count; seq++) {
    const change = { op: 'modify', before: `b${seq}`, after: `b${seq + 1}`, removed: [] } as const
    const credit = { contributor: { type: 'human' }, session: 's', intent: 'INT-1' } as const
    const { record, line } = seal(
      {
        event: { event: 'write', attribution: 'person', source: 'daemon' },
        files: [tracedFile('src/ünï "x".ts', change, { ranges: [], credit })],
      },
      {
        id: uuid(seq),
        timestamp: '2026-01-01T00:00:00.000Z',
        revision: 'c'.repeat(40),
        version: '1.0.0',
        writer: 'w',
        seq,
        prev: last?.metadata['dev.kotef'].hash ?? null,
      },
    )
    lines.push(line)
    last = record
  }
  return { lines, head: last!.metadata['dev.kotef'] }
}

const { lines, head } = ledgerOf(4)
const textOf = (some: readonly string[]): string => some.map(it => `${it}\n`).join('')
const rulesFor = (text: string): string[] => verifyChain(readLedger(text).entries, head).map(it => it.rule)

test('a sealed record is a valid Agent Trace record, and its line reads back as it', () => {
  const { entries, problems } = readLedger(textOf(lines))
  expect(problems).toEqual([])
  expect(entries.map(it => JSON.stringify(it.record))).toEqual(lines)
  expect(entries.flatMap(it => schemaFaults(it.record))).toEqual([])
})

test('an untouched ledger verifies', () => {
  expect(rulesFor(textOf(lines))).toEqual([])
})

test.each([
  ['a changed line', lines.with(1, lines[1]!.replace('INT-1', 'INT-2')), ['ledger-edited']],
  ['a changed hash', lines.with(1, lines[1]!.replace(/"hash":"./, '"hash":"x')), ['ledger-edited', 'ledger-link']],
  ['a removed line', lines.toSpliced(1, 1), ['ledger-gap']],
  ['a removed first line', lines.slice(1), ['ledger-gap']],
  ['a removed end', lines.slice(0, 2), ['ledger-truncated']],
  ['everything removed', [], ['ledger-truncated']],
  ['a swapped pair', [lines[0]!, lines[2]!, lines[1]!, lines[3]!], ['ledger-gap', 'ledger-order', 'ledger-gap']],
])('%s is found', (_, some, rules) => {
  expect(rulesFor(textOf(some))).toEqual(rules)
})

test('a forged line that keeps the numbering is found by its link', () => {
  const forged = ledgerOf(1).lines[0]!.replace('"seq":0', '"seq":1').replace(uuid(0), uuid(9))
  expect(rulesFor(textOf(lines.with(1, forged)))).toContain('ledger-link')
})

test.each([
  ['a garbage line', [lines[0]!, 'garbage', ...lines.slice(1)], 4, 'a ledger record'],
  ['an empty line', [lines[0]!, '', ...lines.slice(1)], 4, 'a ledger record'],
  ['JSON that is no record', [lines[0]!, '{"id":1}', ...lines.slice(1)], 4, 'a ledger record'],
  [
    'a record with no place in a chain',
    [lines[0]!, '{"version":"0.1.0","id":"x","timestamp":"","files":[],"metadata":{}}', ...lines.slice(1)],
    4,
    'a ledger record',
  ],
  ['a line that ends with CRLF', lines.with(1, `${lines[1]!}\r`), 4, 'a line that ends with LF'],
  ['an id for the second time', [lines[0]!, lines[0]!, ...lines.slice(1)], 4, 'an id of its own'],
])('%s is reported with its number and costs no other line', (_, some, good, expected) => {
  const { entries, problems } = readLedger(textOf(some))
  expect(entries).toHaveLength(good)
  expect(problems.map(it => [it.line, it.expected])).toEqual([[2, expected]])
})

test('a ledger cut at any byte of its last two lines keeps every whole line and reports the rest', () => {
  const whole = Buffer.from(textOf(lines))
  const start = Buffer.byteLength(textOf(lines.slice(0, 2)))
  for (let cut = start; cut <= whole.length; cut++) {
    const { entries, problems } = readLedger(whole.subarray(0, cut).toString('utf8'))
    const complete =
      2 + lines.slice(2).filter((_, n) => cut >= Buffer.byteLength(textOf(lines.slice(0, n + 3))) - 1).length
    expect([cut, entries.length]).toEqual([cut, complete])
    const rest = cut - Buffer.byteLength(textOf(lines.slice(0, complete)))
    expect([cut, problems.length]).toEqual([cut, rest > 0 ? 1 : 0])
  }
})

test('a change between two records shows as a break', () => {
  const { entries } = readLedger(textOf(lines.toSpliced(2, 1)))
  expect(entries.flatMap(continuityFollower())).toEqual([
    { path: 'src/ünï "x".ts', line: 3, after: 'b2', before: 'b3' },
  ])
  expect(readLedger(textOf(lines)).entries.flatMap(continuityFollower())).toEqual([])
})
