import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../../src/core/git/diff/hunks.ts'

test('two texts are a patch, with three lines around what differs', () => {
  const before = ['1', '2', '3', '4', '5', '6', ''].join('\n')
  const lines = unifiedDiff('a/b', before, before.replace('5', 'five')).split('\n')
  expect(lines).toEqual(['--- a/a/b', '+++ b/a/b', '@@ -2,5 +2,5 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ''])
})

test('a file that was not there comes from nowhere, and what is the same is no patch', () => {
  expect(unifiedDiff('a', '', 'x\n')).toBe('--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n')
  expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('')
})
