import { expect, test } from 'vitest'
import { unmatchedGlobs } from '../../../../src/core/intents/scope/unmatched-globs.ts'

const PATHS = ['src/a.ts', 'src/b/c.ts', 'README.md']

test.each([
  [['src/**', 'README.md'], []],
  [['scr/**'], ['scr/**']],
  [['src/['], ['src/[']],
  [['src/**', '!src/x/**'], ['!src/x/**']],
  [['src/**', '!src/b/**', '*.rs'], ['*.rs']],
  [[], []],
])('of %j no path matches %j (solo C5, team P7)', (scope, expected) => {
  expect(unmatchedGlobs(scope, PATHS)).toEqual(expected)
})

test('in an empty repository nothing matches', () => {
  expect(unmatchedGlobs(['**'], [])).toEqual(['**'])
})
