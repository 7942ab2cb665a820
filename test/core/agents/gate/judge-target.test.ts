import { expect, test } from 'vitest'
import {
  judgeTarget,
  NOTHING_FREE,
  type TargetAuthority,
  type TargetFact,
} from '../../../../src/core/agents/gate/judge-target.ts'
import type { TargetLocation } from '../../../../src/core/agents/gate/target-rows.ts'
import { judgePath } from '../../../../src/core/intents/scope/judge-path.ts'
import { intent } from './gate-fixture.ts'

const policy = {
  intents: [intent],
  governance: ['.claude/**'],
  forbidden: ['src/auth/keys/**'],
  intentignore: ['*.lock'],
}
const authority = (known: readonly (readonly [string, string | null])[] = []): TargetAuthority => ({
  ...{ intent, judge: judgePath(policy), knownOids: new Map(known), role: null },
  ...NOTHING_FREE,
})
const inside = (path: string): TargetLocation => ({ kind: 'inside', path })
const fact = (locations: readonly TargetLocation[], more: Partial<TargetFact> = {}): TargetFact => ({
  ...{ spelling: 'given', locations, currentOid: null },
  ...more,
})

test.each<[location: TargetLocation, code: string, message: string]>([
  [
    inside('docs/a'),
    'scope-violation',
    'Scope Violation: INT-001 is not authorized to edit docs/a. Request scope expansion.',
  ],
  [inside('.claude/a'), 'governance-plane', ".claude/a is a governance file: no intent's scope includes it."],
  [inside('src/auth/keys/a'), 'path-forbidden', 'src/auth/keys/a is forbidden to every intent (src/auth/keys/**).'],
  [inside('src/auth/a.lock'), 'path-ignored', 'src/auth/a.lock is excluded from every intent by .intentignore.'],
  [
    { kind: 'git', path: '/w/.git/a' },
    'path-of-git',
    'INT-001 is not authorized to edit given: it belongs to git (it leads to /w/.git/a).',
  ],
  [
    { kind: 'worktree', path: '/v/a' },
    'path-in-worktree',
    'INT-001 is not authorized to edit given: it is in another worktree (it leads to /v/a).',
  ],
  [
    { kind: 'outside', path: 'given' },
    'path-outside',
    'INT-001 is not authorized to edit given: it is outside the repository.',
  ],
  [{ kind: 'nowhere', why: 'ELOOP' }, 'path-malformed', "given can't be judged as a path: ELOOP."],
])('a target at %j is refused: %s', (location, code, message) => {
  expect(judgeTarget(fact([location]), authority()).reason).toMatchObject({ code, message })
  expect(judgeTarget(fact([inside('src/auth/a'), location]), authority()).reason).toMatchObject({ code })
})

test('a target in scope is allowed, and so is one that is nowhere because its word is not a path', () => {
  expect(judgeTarget(fact([inside('src/auth/a')]), authority()).reason).toBeNull()
  expect(judgeTarget(fact([]), authority()).reason).toBeNull()
})

test('a target with several refused locations has one reason', () => {
  expect(judgeTarget(fact([inside('docs/a'), inside('docs/b')]), authority()).reason).toMatchObject({ path: 'docs/a' })
})

test('a folder is stale when one of the files below it is', () => {
  const below = (oid: string) =>
    fact([inside('src/auth/a'), inside('src/auth/b')], { currentOidsBelow: new Map([['src/auth/b', oid]]) })
  expect(judgeTarget(below('x'), authority([['src/auth/b', 'x']])).reason).toBeNull()
  expect(judgeTarget(below('y'), authority([['src/auth/b', 'x']])).reason).toMatchObject({
    ...{ code: 'stale-file', path: 'given' },
  })
})
