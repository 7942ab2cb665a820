import { expect, test } from 'vitest'
import { compressedBeginning, partsUpTo, unreadablePart } from '../../../src/core/ledger/compressed-parts.ts'
import { extentText } from '../../../src/core/ledger/ledger-extent.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import { seal } from '../../../src/core/ledger/seal.ts'
import type { LedgerEvent } from '../../../src/core/ledger/event.ts'

const STAMP = { id: 'i', timestamp: 't', revision: null, version: '1', writer: 'w', seq: 0, prev: null }
const lineOf = (event: LedgerEvent) => `${seal({ event }, STAMP).line}\n`

test('the mark says how many bytes are in parts, and how long it is itself', () => {
  const mark = lineOf({ event: 'ledger-compressed', last: { from: 5, to: 4_711 } })
  expect(compressedBeginning(Buffer.from(`${mark}{"more":1}\n`))).toEqual({
    last: { from: 5, to: 4_711 },
    markBytes: mark.length,
  })
  expect(readLedger(mark).problems).toEqual([])
})

test.each([
  ['an empty ledger', ''],
  ['another first record', lineOf({ event: 'initialised' })],
  [
    'a mark in the second line',
    lineOf({ event: 'initialised' }) + lineOf({ event: 'ledger-compressed', last: { from: 0, to: 9 } }),
  ],
  ['a mark without its end', lineOf({ event: 'ledger-compressed', last: { from: 0, to: 9 } }).trim()],
  [
    'a mark inside of a text',
    lineOf({ event: 'problem', path: null, message: '"event":"ledger-compressed","last":{"from":0,"to":9},' }),
  ],
])('%s is no mark', (_, text) => {
  expect(compressedBeginning(Buffer.from(text))).toBe(null)
})

const spans = (bytes: number, names: readonly string[]) =>
  partsUpTo(bytes, names).map(({ from, to, isThere }) => `${from}-${to}${isThere ? '' : ' missing'}`)
const named = (...parts: string[]) => parts.map(it => `${it}.jsonl.gz`)

test.each([
  ['all of them', 30, named('0-10', '10-20', '20-30'), ['0-10', '10-20', '20-30']],
  ['in any order, beside other files', 20, ['a.tmp', ...named('10-20', '0-10')], ['0-10', '10-20']],
  ['without those of an attempt that failed', 20, named('0-10', '10-20', '20-30'), ['0-10', '10-20']],
  ['with a place for one that is missing', 30, named('0-10', '20-30'), ['0-10', '10-20 missing', '20-30']],
  ['with a place for the first one', 30, named('10-20', '20-30'), ['0-10 missing', '10-20', '20-30']],
  ['with a place for the last one', 30, named('0-10', '10-20'), ['0-10', '10-20', '20-30 missing']],
  ['one place for all of them', 30, [], ['0-30 missing']],
  ['none of two that overlap twice', 30, named('0-10', '5-20', '10-30'), ['0-10', '10-30']],
  [
    'none of a name that is no part',
    30,
    ['30-10.jsonl.gz', '0-30.gz', `0-${'9'.repeat(16)}.jsonl.gz`],
    ['0-30 missing'],
  ],
])('the parts up to a byte: %s', (_, bytes, names, parts) => {
  expect(spans(bytes, names)).toEqual(parts)
})

test('what is missing of a long ledger is read in pieces that fit into memory', () => {
  const missing = partsUpTo(10 ** 9, named('999999990-1000000000')).filter(it => !it.isThere)
  expect(Math.max(...missing.map(it => it.to - it.from))).toBe(4 * 2 ** 20)
  expect(missing.reduce((sum, it) => sum + it.to - it.from, 0)).toBe(999_999_990)
})

test.each([1, 2, 40])('a part of %s bytes that can’t be read has its length, and is one bad line', bytes => {
  const line = unreadablePart({ from: 0, to: bytes })
  expect([line.length, line.indexOf('\n')]).toEqual([bytes, bytes - 1])
})

test.each([
  [{ bytes: 900_000, compressed: 0, onDisk: 900_000 }, ''],
  [{ bytes: 1_250_000, compressed: 0, onDisk: 1_250_000 }, ', 1.3 MB'],
  [{ bytes: 412_000_000, compressed: 390_000_000, onDisk: 96_400_000 }, ', 412 MB, compressed to 96 MB'],
])('the size %o for a person', (extent, text) => {
  expect(extentText(extent)).toBe(text)
})
