import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyWords } from '../../../src/core/ledger/key-hash.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import type { RecordDraft } from '../../../src/core/ledger/record.ts'
import { recordKeys } from '../../../src/core/ledger/record-filter.ts'
import { RecordScanner } from '../../../src/core/ledger/scan-record.ts'
import { seal } from '../../../src/core/ledger/seal.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'

const range = { start_line: 1, end_line: 30, content_hash: 'xxh64:00', line_hashes: 'AAAA' }
const change = { op: 'modify', before: 'b', after: null, removed: [{ start_line: 2, lines: 1 }] } as const
const credit = { contributor: { type: 'ai', model_id: 'm' }, session: 's-1', intent: 'INT-1' } as const
const write = { event: 'write', attribution: 'claimed', source: 'daemon' } as const

const DRAFTS: readonly RecordDraft[] = [
  { event: write, files: [tracedFile('src/a.ts', change, { ranges: [range, range], credit })] },
  { event: write, files: [tracedFile('src/ü.ts', { ...change, op: 'rename', from: 'src/o' }, { ranges: [], credit })] },
  {
    event: write,
    files: [
      tracedFile('a', { ...change, mode: { before: null, after: '100755' } }, { ranges: [], credit }),
      tracedFile('b', change, { ranges: [], credit: { ...credit, session: null, intent: null } }),
    ],
  },
  { event: { event: 'session-started', session: 'ä', intent: 'INT-2', agent: 'claude' } },
  { event: { event: 'check-run', intent: 'INT-2', command: 'make test', exit: 1, timed_out: false } },
  { event: { event: 'violation', rule: 'r', path: 'src/x', intent: null, message: 'm' } },
  { event: { event: 'problem', path: null, message: 'm' } },
]

const lineOf = (draft: RecordDraft, n: number): string =>
  seal(draft, {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    timestamp: new Date(1_790_000_000_000 + n * 86_400_500).toISOString(),
    ...{ revision: n % 2 === 0 ? null : 'f00', version: '1', writer: 'w', seq: n, prev: n === 0 ? null : 'p' },
  }).line

const LINES = DRAFTS.map(lineOf)
const scanner = new RecordScanner()

/** What is found in a line; null when it is not accepted. */
function scanned(line: string) {
  // The line stands between others.
  const bytes = Buffer.from(`{"a\n${line}\n"}`)
  if (!scanner.accepts(bytes, 4, bytes.length - 3)) return null
  return { id: [...scanner.id.words()].join(' '), seconds: scanner.seconds, keys: namesOf([...scanner.keys.words()]) }
}

function parsed(line: string) {
  const { entries, problems } = readLedger(line)
  const [record] = entries.map(it => it.record)
  if (!record || problems.length > 0) return null
  const seconds = Math.floor(Date.parse(record.timestamp) / 1000)
  const keys = recordKeys(record).flatMap(it => keyWords(...it))
  return { id: keyWords('id', record.id).join(' '), seconds, keys: namesOf(keys) }
}

function namesOf(words: readonly number[]): string[] {
  return [...new Set(words.flatMap((it, n) => (n % 2 === 0 ? [`${it} ${words[n + 1]}`] : [])))].sort()
}

test.each(LINES)('it finds in %s what parsing finds', line => {
  expect(scanned(line)).not.toBeNull()
  expect(scanned(line)).toEqual(parsed(line))
})

const [first = '', second = ''] = LINES

test.each([
  ['', 'no line'],
  [` ${first}`, 'white space'],
  [`${first}\r`, 'a second line end'],
  [`${first}}`, 'more than a record'],
  [first.slice(0, -1), 'half a record'],
  [first.replace('"seq":0', '"seq":0.5'), 'a fraction'],
  [first.replace('"seq":0', '"seq":007'), 'a number with zeros'],
  [first.replace('"before":"b"', '"before":"b\\null'), 'half a string before a null'],
  [first.replace('"lines":1', '"lines":007null'), 'half a number before a null'],
  [first.replace('src/a.ts', 'src\\/a.ts'), 'an escape'],
  [first.replace('src/a.ts', 'src/\ta.ts'), 'a control character'],
  [first.replace('"path"', '"path":"x","path"'), 'a member twice'],
  [first.replace('"seq":0,', ''), 'a member too few'],
  [first.replace('"removed":[', '"removed":[,'), 'an empty element'],
  [first.replace('"op":"modify",', '"op":"modify",,'), 'an empty member'],
  [second.replace('session/s-1', 'session/%C3%A4'), 'an encoded session'],
  [second.replace('T00:', 'T0x:').replace(/"timestamp":"[^"]+/, '"timestamp":"2026-13-01T00:00:00.000Z'), 'no month'],
  [first.replace(/"timestamp":"[^"]+/, '"timestamp":"2026-11-01T24:00:00.000Z'), 'no hour'],
  [first.replace('"removed":', `"deep":${'['.repeat(5_000)}${']'.repeat(5_000)},"removed":`), 'a deep value'],
])('it leaves to the parser: %#', line => {
  expect(scanned(line)).toBeNull()
})

test('it accepts no line that parsing would not, and finds the same in it', () => {
  const piece = fc.oneof(
    fc.constantFrom(...['"', '\\', ',', ':', '{', '}', '[', ']', '{}', '[]', 'null', '0', '-1', '1e3', '""', ' ', 'é']),
    fc.constantFrom(...['"path":"x",', ',"value":"INT-9"', '"intent":"INT-9",', '"related":[],', 'kotef:session/']),
    fc.string({ maxLength: 3 }),
  )
  const edit = fc.record({ at: fc.nat(1_000), cut: fc.nat(12), piece })
  const line = fc.constantFrom(...LINES)
  fc.assert(
    fc.property(line, fc.array(edit, { maxLength: 3 }), (whole, edits) => {
      const changed = edits.reduce((text, { at, cut, piece: added }) => {
        const place = at % text.length
        return text.slice(0, place) + added + text.slice(place + cut)
      }, whole)
      const found = changed.includes('\n') ? null : scanned(changed)
      if (found) expect(found).toEqual(parsed(changed))
    }),
    { numRuns: 5_000 },
  )
})
