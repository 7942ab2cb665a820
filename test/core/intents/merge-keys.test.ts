import { expect, test } from 'vitest'
import { mergedKeys } from '../../../src/core/intents/merge-keys.ts'

test.each([
  ['ab', 'abx', 'aby', 'abxy'],
  ['ab', 'xab', 'ayb', 'xayb'],
  ['ab', 'axb', 'ayb', 'axyb'],
  ['abc', 'ac', 'abc', 'ac'],
  ['abc', 'ac', 'ab', 'a'],
  ['abc', 'abcx', 'cba', 'cxba'],
  ['abc', 'bac', 'cbay', 'bayc'],
  ['', 'ab', 'ba', 'ab'],
  ['', '', 'xy', 'xy'],
])('from %j the sides %j and %j make %j', (base, ours, theirs, merged) => {
  const keys = (text: string) => text.split('')
  expect(mergedKeys({ base: keys(base), ours: keys(ours), theirs: keys(theirs) }).join('')).toBe(merged)
})
