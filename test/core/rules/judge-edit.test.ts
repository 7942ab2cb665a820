import { expect, test } from 'vitest'
import { judgeEdit } from '../../../src/core/rules/judge-edit.ts'
import { outOfScopeFinding } from '../../../src/core/rules/hints.ts'
import { judgePath } from '../../../src/core/intents/scope/judge-path.ts'
import { policy } from './commit-world.ts'

const ONE = { policy, live: ['INT-001'], byPersons: true }

test.each([
  ['src/a.ts', null],
  ['src/legacy/a.ts', 'in-scope'],
  ['docs/b.md', 'in-scope'],
  ['vendor/a.c', 'path-forbidden'],
  ['key.pem', 'path-ignored'],
  ['.husky/pre-commit', 'governance-alone'],
  ['.orchestration/AGENT.md', null],
  ['README.md', null],
])('of a person on INT-001, an edit of %s is %s', (path, rule) => {
  expect(judgeEdit(path, ONE)?.rule ?? null).toBe(rule)
})

test('a standing intent serves no agent', () => {
  expect(judgeEdit('README.md', { ...ONE, byPersons: false })?.rule).toBe('in-scope')
})

test.each([
  ['docs/b.md', null],
  ['.husky/pre-commit', null],
  ['vendor/a.c', 'path-forbidden'],
  ['key.pem', 'path-ignored'],
])('without a session, an edit of %s is %s', (path, rule) => {
  expect(judgeEdit(path, { ...ONE, live: [] })?.rule ?? null).toBe(rule)
})

test('several sessions own what one of them owns', () => {
  const two = { ...ONE, live: ['INT-001', 'INT-002'] }
  expect(['src/a.ts', 'docs/b.md'].map(it => judgeEdit(it, two))).toEqual([null, null])
  expect(judgeEdit('lib/x', two)?.message).toContain('is outside intents INT-001 and INT-002')
})

test('the words are those of the commit', () => {
  const refusal = outOfScopeFinding('docs/b.md', { policy, judge: judgePath(policy), cited: ['INT-001'] })
  expect(judgeEdit('docs/b.md', ONE)).toEqual(refusal)
})

test.each([
  ['warn', 'warn'],
  ['observe', undefined],
] as const)('in a repository that enforces by %s, the level is %s', (how, level) => {
  const enforced = { ...policy, enforcements: { enforce: how, rules: {} } }
  expect(judgeEdit('docs/b.md', { ...ONE, policy: enforced })?.level).toBe(level)
})
