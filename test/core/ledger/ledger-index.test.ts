import { expect, test } from 'vitest'
import { ledgerIndexBytes, indexStretch, lineSpansFor, readLedgerIndex } from '../../../src/ledger/ledger-index.ts'
import { readLedger } from '../../../src/ledger/read-ledger.ts'
import { seal } from '../../../src/ledger/seal.ts'
import { matchesFilter, type RecordFilter } from '../../../src/ledger/record-filter.ts'
import { tracedFile } from '../../../src/ledger/traced-file.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function lineOf(n: number): string {
  const change = { op: 'modify', before: 'b', after: 'a', removed: [] } as const
  const credit = { contributor: { type: 'ai' }, session: `s${n % 2}`, intent: `INT-${n % 3}` } as const
  const { line } = seal(
    {
      event: { event: 'write', attribution: 'claimed', source: 'daemon' },
      files: [tracedFile(`src/ü${n % 4}.ts`, change, { ranges: [], credit })],
    },
    {
      id: uuid(n),
      timestamp: new Date(n * 1000).toISOString(),
      revision: null,
      version: '1',
      writer: 'w',
      seq: n,
      prev: null,
    },
  )
  return line
}

// Good lines, and each kind of a bad one.
const LINES = [0, 1, 2, 3, 4, 5, 6, 7].map(lineOf)
LINES.splice(2, 0, 'no record', '', lineOf(1))
LINES.splice(6, 0, `${lineOf(20)}\r`)

/** The catalogue of these lines, made of stretches of so many. */
function catalogueOf(lines: readonly string[], atOnce: number): Uint8Array {
  let bytes: Uint8Array = new Uint8Array()
  let reached = 0
  for (let n = 0; n < lines.length; n += atOnce) {
    const some = lines.slice(n, n + atOnce)
    const starts = some.map(
      (_, at) =>
        reached +
        Buffer.byteLength(
          some
            .slice(0, at)
            .map(it => `${it}\n`)
            .join(''),
        ),
    )
    const text = some.map(it => `${it}\n`).join('')
    reached += Buffer.byteLength(text)
    const stretch = { reading: readLedger(text, n + 1), firstLine: n + 1, starts, reached, tail: n }
    bytes = Buffer.concat([bytes, indexStretch(readLedgerIndex(bytes), stretch)])
  }
  return bytes
}

const QUESTIONS: readonly RecordFilter[] = [
  {},
  { file: 'src/ü1.ts' },
  { intent: 'INT-2' },
  { session: 's1' },
  { since: 4_000 },
  { file: 'src/ü1.ts', intent: 'INT-1', since: 1_000 },
  { file: 'nowhere' },
]

test.each([1, 2, 5, 100])('made %i lines at a time, it finds what reading all lines finds', atOnce => {
  const catalogue = readLedgerIndex(catalogueOf(LINES, atOnce))
  const all = Buffer.from(LINES.map(it => `${it}\n`).join(''))
  const { entries, problems } = readLedger(all.toString())
  for (const wanted of QUESTIONS) {
    const { wanted: places, unsound } = lineSpansFor(catalogue, wanted)
    const expected = entries.filter(it => matchesFilter(it.record, wanted))
    expect(places.map(it => [it.line, all.toString('utf8', it.start, it.end).trimEnd()])).toEqual(
      expected.map(it => [it.line, it.text]),
    )
    expect(unsound.map(it => it.line)).toEqual(problems.map(it => it.line))
  }
})

test('cut at any byte, it tells of the stretches that are whole', () => {
  const bytes = catalogueOf(LINES, 3)
  for (let length = 0; length < bytes.length; length++) {
    const { lines, count } = readLedgerIndex(bytes.subarray(0, length))
    expect(count * 16, `${length} bytes`).toBeLessThanOrEqual(length)
    expect([0, 3, 6, 9]).toContain(lines)
  }
  expect(readLedgerIndex(bytes).lines).toBe(LINES.length)
})

test('with any byte changed, it tells of nothing that is not so', () => {
  const bytes = catalogueOf(LINES, 3)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed[at] ?? 0) ^ 0x41, at)
    const whole = ledgerIndexBytes(readLedgerIndex(changed))
    expect(whole.length, `byte ${at}`).toBeLessThanOrEqual(at)
    expect(Buffer.from(whole).equals(bytes.subarray(0, whole.length))).toBe(true)
  }
})
