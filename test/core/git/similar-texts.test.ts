import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineBag, matchTexts } from '../../../src/core/git/diff/similar-texts.ts'

// A line of the test is its own hash, and each letter weighs one.
const hashes = new Map<string, number>()
const markOf = (line: Uint8Array) => {
  const text = Buffer.from(line).toString('utf8').trim()
  if (!hashes.has(text)) hashes.set(text, hashes.size)
  return { hash: hashes.get(text) ?? 0, weight: text.replace(/[^\da-z]/gi, '').length }
}
const bag = (...lines: string[]) => lineBag(Buffer.from(lines.join('\n')), markOf)
const matched = (removed: string[][], added: string[][]) => {
  const { pairs, origins } = matchTexts(
    removed.map(it => bag(...it)),
    added.map(it => bag(...it)),
  )
  return { pairs: Object.fromEntries(pairs), origins: Object.fromEntries(origins) }
}
const A = ['alpha alpha alpha alpha', 'beta beta beta beta', 'gamma gamma gamma gamma', 'delta delta delta']
const B = ['one one one one one one', 'two two two two two two', 'three three three three']

test.each<[what: string, removed: string[][], added: string[][], pairs: object, origins: object]>([
  ['the same text', [A], [A], { 0: 0 }, {}],
  ['half of its letters', [A], [[...A.slice(0, 2), ...B.slice(0, 2)]], { 0: 0 }, {}],
  ['less than half', [A], [[...A.slice(0, 1), ...B]], {}, {}],
  ['another indentation', [A], [A.map(it => `      ${it}  `)], { 0: 0 }, {}],
  ['blank lines and brackets alone', [['}', '', '{', ');']], [['}', '', '{', ');']], {}, {}],
  ['the most similar first', [A.slice(0, 3), A], [A], { 0: 1 }, { 0: [0] }],
  ['two merged in one', [A, B], [[...A, ...B]], { 0: 0 }, { 0: [1] }],
  ['one split in two', [A], [A.slice(0, 2), A.slice(2)], { 0: 0 }, {}],
  ['another text', [A], [B], {}, {}],
])('%s', (_, removed, added, pairs, origins) => {
  expect(matched(removed, added)).toEqual({ pairs, origins })
})

test('each removed text is paired once', () => {
  const texts = fc.array(fc.array(fc.constantFrom(...A, ...B), { maxLength: 6 }), { maxLength: 8 })
  fc.assert(
    fc.property(texts, texts, (removed, added) => {
      const { pairs } = matched(removed, added)
      const froms = Object.values(pairs)
      expect(new Set(froms).size).toBe(froms.length)
    }),
  )
})
