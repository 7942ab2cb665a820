import fc from 'fast-check'
import { expect, test } from 'vitest'
import { earlierLines } from '../../../src/core/git/diff/line-map.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })

test('a line is mapped to an equal one, in the same order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const pairs = [...earlierLines(before, after)].sort(([one], [other]) => one - other)
      for (const [line, earlier] of pairs) expect(after[line - 1]).toBe(before[earlier - 1])
      const earlier = pairs.map(it => it[1])
      expect(earlier).toEqual([...new Set(earlier)].sort((one, other) => one - other))
    }),
  )
})

test.each([
  ['abc', 'abc', '1-1 2-2 3-3'],
  ['abc', 'xabc', '2-1 3-2 4-3'],
  ['abc', 'ac', '1-1 2-3'],
  ['abcd', 'axcyd', '1-1 3-3 5-4'],
  ['', 'a', ''],
])('of %s and %s, these lines are the same: %s', (before, after, pairs) => {
  const found = [...earlierLines(before.split(''), after.split(''))].sort(([one], [other]) => one - other)
  expect(found.map(it => it.join('-')).join(' ')).toBe(pairs)
})
