import { expect, test } from 'vitest'
import { referencedCommits } from '../../../../src/core/git/trailers/commits.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

test.each<[string, string, string[]]>([
  ['a revert', `Revert "x"\n\nThis reverts commit ${A}.\n`, [A]],
  ['a revert by reference', 'x\n\nThis reverts commit 0123abc (x, 2026-01-01).\n', ['0123abc']],
  ['a revert of a merge', `x\n\nThis reverts commit ${A}, reversing\nchanges made to ${B}.\n`, [A]],
  ['a revert in words of its own', 'Revert 0123abc, it was wrong\n\nReverts 1234abc too.\n', ['0123abc', '1234abc']],
  ['a revert of something else', 'Reverts to 0123abc\n', []],
  ['a pick', `x\n\n(cherry picked from commit ${A})\n`, [A]],
  ['picks of picks', `x\n\n(cherry picked from commit ${A})\n(cherry picked from commit ${B})\n`, [A, B]],
  ['a pick with CRLF', `x\r\n\r\n(cherry picked from commit ${A})\r\n`, [A]],
  ['a squash', `Squashed commit of the following:\n\ncommit ${A}\nAuthor: A\n\n    x\n\ncommit ${B}\n`, [A, B]],
  ['a list of commits in other words', `x\n\ncommit ${A}\n`, []],
  ['a mention', `x\n\nAs in: This reverts commit ${A}.\n`, []],
  ['the same twice', `x\n\nThis reverts commit ${A}.\nThis reverts commit ${A}.\n`, [A]],
  ['SHA-256', `x\n\nThis reverts commit ${'c'.repeat(64)}.\n`, ['c'.repeat(64)]],
  ['too short a name', 'x\n\nThis reverts commit abc.\n', []],
])('%s', (_, message, expected) => {
  expect(referencedCommits(message)).toEqual(expected)
})
