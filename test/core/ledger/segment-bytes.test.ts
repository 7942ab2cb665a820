import { expect, test } from 'vitest'
import type { CatalogueSegment } from '../../../src/core/ledger/catalogue-segment.ts'
import {
  HEAD_BYTES,
  PAGE_WORDS,
  pagesOf,
  pageSum,
  readSegmentHead,
  segmentBytes,
} from '../../../src/core/ledger/segment-bytes.ts'

const words = (...all: number[]) => Uint32Array.from(all)
const segment: CatalogueSegment = {
  ...{ from: 2 ** 40, to: 2 ** 40 + 300, linesBefore: 5, tail: 77 },
  ...{ keys: words(1, 2, 3, 4), ends: words(1, 3), lines: words(0, 0, 1), starts: words(0, 100, 200) },
  ...{ times: words(30, 10, 20), bad: words(2), flawed: words(), ids: words(9, 8, 7, 6) },
}

test('the head says what the file has', () => {
  const head = readSegmentHead(segmentBytes(segment))
  expect(head).toMatchObject({ from: 2 ** 40, to: 2 ** 40 + 300, linesBefore: 5, tail: 77, timeMin: 10, timeMax: 30 })
  expect(head?.sections).toMatchObject({ keys: { first: 0, count: 4 }, ids: { first: 16, count: 4 } })
})

test('with any byte of the head changed, or the file cut within it, it is no head', () => {
  const bytes = segmentBytes(segment)
  for (let at = 0; at < HEAD_BYTES; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed[at] ?? 0) ^ 0x41, at)
    expect([at, readSegmentHead(changed)]).toEqual([at, null])
    expect([at, readSegmentHead(bytes.subarray(0, at))]).toEqual([at, null])
  }
})

test('a page has a checksum of its own, which shows any word that changed', () => {
  const all = new Uint32Array(PAGE_WORDS * 2 + 3).map((_, n) => n * 7)
  expect(pagesOf(all.length)).toBe(3)
  const sums = [0, 1, 2].map(it => pageSum(all, it))
  for (const at of [0, PAGE_WORDS - 1, PAGE_WORDS, all.length - 1]) {
    const changed = all.map((it, n) => (n === at ? it + 2 ** 31 : it))
    const own = Math.floor(at / PAGE_WORDS)
    expect([0, 1, 2].filter(it => pageSum(changed, it) !== sums[it])).toEqual([own])
  }
})
