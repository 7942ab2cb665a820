import { describe, expect, test } from 'vitest'
import type { ClosedLedger } from '../../../src/core/ledger/event.ts'
import { chainFollower, type ChainHead } from '../../../src/core/ledger/chain.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import { seal } from '../../../src/core/ledger/seal.ts'

/** So many records of one writer, as lines. */
function linesOf(writer: string, count: number): string[] {
  const lines: string[] = []
  let prev: string | null = null
  for (let seq = 0; seq < count; seq++) {
    const stamp = { id: `${writer}${seq}`, timestamp: '2026-01-01T00:00:00Z', revision: null, version: '1.0.0' }
    const { record, line } = seal({ event: { event: 'initialised' } }, { ...stamp, writer, seq, prev })
    prev = record.metadata['dev.kotef'].hash
    lines.push(line)
  }
  return lines
}

function rulesFor(lines: readonly string[], head: ChainHead | null = null): string[] {
  const { follow, end } = chainFollower()
  const { entries } = readLedger(lines.map(it => `${it}\n`).join(''))
  return [...entries.flatMap(follow), ...end(head)].map(it => it.rule)
}

const [a, b] = [linesOf('a', 4), linesOf('b', 2)]
const headOf = (line = '') => JSON.parse(line).metadata['dev.kotef'] as ChainHead

test('a line is its record as JSON', () => {
  const stamp = { id: 'x', timestamp: '2026-01-01T00:00:00Z', revision: 'r', version: '1.0.0', writer: 'w', seq: 1 }
  const { record, line } = seal(
    { event: { event: 'problem', path: '}}}', message: ',"hash":""}}}' } },
    { ...stamp, prev: 'p' },
  )
  expect(line).toBe(JSON.stringify(record))
})

test('however the lines of two writers are mixed, their chains are whole', () => {
  const mix = (one: readonly string[], other: readonly string[]): string[][] => {
    if (one.length === 0 || other.length === 0) return [[...one, ...other]]
    const [first = '', second = ''] = [one[0], other[0]]
    return [
      ...mix(one.slice(1), other).map(it => [first, ...it]),
      ...mix(one, other.slice(1)).map(it => [second, ...it]),
    ]
  }
  const mixtures = mix(a, b)
  expect(mixtures).toHaveLength(15)
  for (const lines of mixtures) expect(rulesFor(lines, headOf(a[3]))).toEqual([])
})

test('whichever lines are removed, it shows, but for an end that nobody else knows', () => {
  for (let kept = 0; kept < 16; kept++) {
    const lines = a.filter((_, n) => kept & (1 << n))
    const isBeginning = lines.every((it, n) => it === a[n])
    expect(rulesFor(lines).length > 0, `kept ${kept.toString(2)}`).toBe(!isBeginning)
    expect(rulesFor(lines, headOf(a[3])).length > 0, `kept ${kept.toString(2)}, head known`).toBe(kept !== 15)
  }
})

test.each<[string, string[], string[]]>([
  ['an edited line', a.with(2, a[2]!.replace('1.0.0', '1.0.1')), ['ledger-edited']],
  ['two lines that changed places', [a[0]!, a[2]!, a[1]!, a[3]!], ['ledger-gap', 'ledger-order', 'ledger-gap']],
  ['a line of another ledger in the place of one', [a[0]!, linesOf('a', 2)[1]!.replace('a1', 'x1')], ['ledger-edited']],
  ['a record that follows another one than its own', [a[0]!, relinked(a[1]!)], ['ledger-link']],
])('%s', (_, lines, expected) => {
  expect(rulesFor(lines)).toEqual(expected)
})

describe('a ledger whose first record closes another one', () => {
  const head: ChainHead = headOf(a[3])
  const closing = (closed: object) =>
    seal(
      { event: { event: 'ledger-closed', reason: 'torn', closed: closed as ClosedLedger } },
      {
        id: 'c0',
        timestamp: '2026-01-01T00:00:00Z',
        revision: null,
        version: '1.0.0',
        writer: 'c',
        seq: 0,
        prev: null,
      },
    ).line
  const sound = { files: [{ name: 'x', sha256: 'y' }], records: 4, head, findings: [] }

  test('does not lack the end that was saved of that one', () => {
    expect(rulesFor([closing(sound)], head)).toEqual([])
    expect(rulesFor([closing({ ...sound, head: null })], head)).not.toEqual([])
    expect(rulesFor([b[0]!, closing(sound)], head)).not.toEqual([])
  })

  test.each<[string, object | null]>([
    ['nothing', null],
    ['no files', { ...sound, files: undefined }],
    ['a file without a name', { ...sound, files: [null] }],
    ['no number', { ...sound, records: 'four' }],
  ])('closes none when it is malformed: %s', (_, closed) => {
    expect(rulesFor([closing(closed as object)], head)).not.toEqual([])
  })
})

function relinked(line: string): string {
  const { id, timestamp, metadata } = JSON.parse(line)
  const { writer, seq } = metadata['dev.kotef']
  const stamp = { id, timestamp, revision: null, version: '1.0.0', writer, seq, prev: 'f'.repeat(64) }
  return seal({ event: { event: 'initialised' } }, stamp).line
}
