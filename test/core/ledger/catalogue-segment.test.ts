import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CatalogueSegment, mergeSegments, SegmentBuilder } from '../../../src/core/ledger/catalogue-segment.ts'
import { keyWords, type KeyWords } from '../../../src/core/ledger/key-hash.ts'
import { commonPairs, findPair, WordList } from '../../../src/core/ledger/word-list.ts'

type Line = { readonly id: number; readonly files: readonly number[]; readonly kind: 'good' | 'bad' | 'flawed' }

const LINE_BYTES = 100
const fileKey = (n: number) => keyWords('file', `src/${n}.ts`)
const idKey = (n: number) => keyWords('id', String(n))

function listOf(pairs: readonly KeyWords[]): WordList {
  const list = new WordList()
  for (const it of pairs) list.pushPair(...it)
  return list
}

/** The segment of some lines, the first of which has this number. */
function segmentOf(lines: readonly Line[], first: number, known: readonly KeyWords[] = []): CatalogueSegment {
  const builder = new SegmentBuilder()
  lines.forEach(({ id, files, kind }, n) => {
    const record = { id: listOf([idKey(id)]), keys: listOf(files.map(fileKey)), seconds: 1_000 + first + n }
    builder.add(n * LINE_BYTES, kind === 'bad' ? null : record, kind === 'flawed')
  })
  const to = (first + lines.length) * LINE_BYTES
  return builder.finish({ from: first * LINE_BYTES, to, linesBefore: first, tail: to }, known)
}

const linesOf = ({ keys, ends, lines }: CatalogueSegment, file: number): number[] => {
  const at = findPair(keys, ...fileKey(file))
  return at < 0 ? [] : [...lines.subarray(at === 0 ? 0 : ends[at - 1], ends[at])]
}

const anyLine = fc.record<Line>({
  id: fc.nat(40),
  files: fc.array(fc.nat(5), { maxLength: 3 }),
  kind: fc.constantFrom('good', 'good', 'good', 'bad', 'flawed'),
})

test('a segment has the lines of each file, and sets aside what is no record or comes a second time', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 60 }), lines => {
      const segment = segmentOf(lines, 0)
      const seen = new Set<number>()
      const isGood = lines.map(({ id, kind }) => kind !== 'bad' && !seen.has(id) && seen.add(id).size > 0)
      const where = (test: (line: Line, n: number) => boolean) => lines.flatMap((it, n) => (test(it, n) ? [n] : []))
      for (let file = 0; file <= 5; file++)
        expect(linesOf(segment, file)).toEqual(where((it, n) => isGood[n] === true && it.files.includes(file)))
      expect([...segment.bad]).toEqual(where((_, n) => isGood[n] !== true))
      expect([...segment.flawed]).toEqual(where((it, n) => isGood[n] === true && it.kind === 'flawed'))
      expect(segment.ids.length / 2).toBe(seen.size)
    }),
  )
})

test('two segments merge into the one of all their lines', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 2, maxLength: 60 }), fc.nat(), (lines, cut) => {
      const at = 1 + (cut % (lines.length - 1))
      const one = segmentOf(lines.slice(0, at), 7)
      const known = commonPairs(segmentOf(lines.slice(at), 7 + at).ids, one.ids)
      const merged = mergeSegments(one, segmentOf(lines.slice(at), 7 + at, known))
      expect(merged).toEqual(segmentOf(lines, 7))
    }),
  )
})

test('it has room for many keys', () => {
  const lines = Array.from({ length: 10_000 }, (_, id): Line => ({ id, files: [id, id], kind: 'good' }))
  const segment = segmentOf(lines, 0)
  expect([0, 5_000, 9_999].map(it => linesOf(segment, it))).toEqual([[0], [5_000], [9_999]])
})
