import fc from 'fast-check'
import micromatch from 'micromatch'
import { expect, test } from 'vitest'
import { alternativesIn } from '../../../src/core/base/brace-alternatives.ts'
import { globTest, malformation } from '../../../src/core/base/globs.ts'

test.each([
  ['src/**', 1],
  ['{a,b}/{1..3}', 6],
  ['{a,{b,c}}', 3],
  ['{0..100..10}', 11],
  ['{a..f}{1..12}', 72],
  ['\\{a,b\\}', 1],
  ['{1..99999999}', 99_999_999],
  ['{a..z}'.repeat(5), 26 ** 5],
  [`${'{a,'.repeat(3000)}b${'}'.repeat(3000)}`, Infinity],
])('%s means so many paths: %d', (glob, count) => {
  expect(alternativesIn(glob)).toBe(count)
})

test('no expansion is larger', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(?:[ab{},]|\{[1-9]\.\.[1-9]\}){1,12}$/), glob => {
      // micromatch makes every path of a glob, and some that are drawn mean more than memory holds.
      fc.pre(alternativesIn(glob) <= 10_000)
      expect(alternativesIn(glob)).toBeGreaterThanOrEqual(micromatch.braces(glob, { expand: true }).length)
    }),
  )
})

test('a glob that means too much is malformed, matches nothing, and is told at once', () => {
  const glob = `${'{a..z}'.repeat(5)}/**`
  expect(malformation(glob)).toBe('a glob whose braces mean at most 1000 paths')
  expect(globTest(glob)('aaaaa/x')).toBe(false)
})
