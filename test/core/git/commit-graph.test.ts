import { expect, test } from 'vitest'
import { branchTips, commitRange, countCommits, countFiles, isOnBranch } from '../../../src/core/git/commit-graph.ts'

test.each([
  ['no commit', '', [], []],
  ['a root commit', 'a\n', ['a'], []],
  ['a line of commits', 'c b\nb a\n', ['b', 'c'], ['a', 'b']],
  ['a merge', 'm a b\n', ['m'], ['a', 'b']],
])('a range of %s has its commits, and their parents in and below it', (_, out, commits, parents) => {
  const range = commitRange([], []).parse(out)
  expect([[...range.commits].sort(), [...range.parents].sort()]).toEqual([commits, parents])
})

test('starts and ends of a range are revisions, never paths', () => {
  expect(commitRange(['x', 'y'], ['z']).args.slice(-5)).toEqual(['x', 'y', '--not', 'z', '--'])
  expect(countCommits(['x..y']).args.slice(-2)).toEqual(['x..y', '--'])
})

test.each([
  ['no branch', '', [], false],
  ['two branches', 'a\nb\n', ['a', 'b'], true],
])('%s: its tips, and whether a commit is on one', (_, out, tips, isOn) => {
  expect([branchTips(2).parse(out), isOnBranch('a').parse(out)]).toEqual([tips, isOn])
})

test('a count is a number', () => {
  expect(countCommits(['HEAD']).parse('12\n')).toBe(12)
  expect([countFiles(['HEAD']).parse('a\nb c\n\na\n'), countFiles(['HEAD']).parse('')]).toEqual([4, 0])
})
