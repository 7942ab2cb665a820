import { describe, expect, test } from 'vitest'
import type { CommitFacts, InheritedWork } from '../../../src/core/rules/commit-facts.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { judgeStaged } from '../../../src/core/rules/judge-staged.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

// Nobody owns `lib`.
const narrow = { ...policy, intents: policy.intents.filter(it => it.id !== 'INT-003') }
const byAgent = { byAgent: true, claimedByOthers: ['INT-002'] }
const rulesOf = (findings: ReturnType<typeof judgeCommit>) => findings.map(it => `${it.rule} ${it.path ?? '-'}`)

describe('a message and what is staged', () => {
  test.each<[string, Partial<CommitFacts>, string[], string[]]>([
    ['the intent that owns it', {}, ['src/a.ts'], []],
    ['nothing staged', {}, [], []],
    ['two intents, each path owned by one', { cited: ['INT-001', 'INT-002'] }, ['src/a.ts', 'docs/b'], []],
    ['a path of another intent', {}, ['docs/b'], ['in-scope docs/b']],
    ['a path that the scope excludes', {}, ['src/legacy/a'], ['in-scope src/legacy/a']],
    ['an intent with an empty scope', { cited: ['INT-006'] }, ['src/a.ts'], ['in-scope src/a.ts']],
    ['no intent', { cited: [] }, ['src/a.ts'], ['intent-named -']],
    ['an intent where nobody looks', { cited: [], misplaced: ['INT-001'] }, ['src/a.ts'], ['trailer-misplaced -']],
    ['an unknown intent', { cited: ['INT-999'] }, ['src/a.ts'], ['intent-known -']],
    ['an intent that nobody has begun', { cited: ['INT-003'] }, ['next/a'], []],
    ['a completed intent', { cited: ['INT-004'] }, ['old/a'], ['intent-open -']],
    ['an abandoned intent', { cited: ['INT-005'] }, ['old/a'], ['intent-open -']],
    ["another agent's intent, by an agent", { ...byAgent, cited: ['INT-002'] }, ['docs/b'], ['claim-held -']],
    ['its own intent, by an agent', byAgent, ['src/a.ts'], []],
    ["an agent's intent, by a person", { ...byAgent, byAgent: false, cited: ['INT-002'] }, ['docs/b'], []],
    ['a forbidden path', {}, ['vendor/a'], ['path-forbidden vendor/a']],
    ['an ignored path inside the scope', {}, ['src/key.pem'], ['path-ignored src/key.pem']],
    ['a path that is not UTF-8', {}, ['src/\uFFFD'], ['path-malformed src/\uFFFD']],
    ['the governance plane without a reason', {}, ['.husky/x'], ['governance-alone .husky/x']],
    ['the governance plane alone', { governance: 'why', cited: [] }, ['.husky/x', REGISTRY], []],
    [
      'the governance plane with work',
      { governance: 'why', cited: [] },
      ['.husky/x', 'src/a'],
      ['governance-alone src/a'],
    ],
    ['a squash of both', { governance: 'why' }, ['.husky/x', 'src/a'], []],
    ['a squash of both, and more', { governance: 'why' }, ['.husky/x', 'lib/a'], ['in-scope lib/a']],
    ['a governance commit that names its new intent', { governance: 'why', cited: ['INT-099'] }, [REGISTRY], []],
    [
      'a stray change that is taken back',
      { cited: [], takenBack: ['lib/a'], policy: narrow },
      ['lib/a'],
      ['in-scope lib/a'],
    ],
    [
      'one beside work',
      { cited: [], takenBack: ['lib/a'], policy: narrow },
      ['lib/a', 'src/a'],
      ['intent-named -', 'in-scope lib/a'],
    ],
    ['one that an intent owns', { cited: [], takenBack: ['src/a'], policy: narrow }, ['src/a'], ['intent-named -']],
    ['an empty reason', { governance: '' }, ['.husky/x'], ['governance-reason -']],
    ['a registry in which intents only move', { onlyTransitions: true }, [REGISTRY, 'src/a'], []],
    [
      'one beside work without an intent (look B19)',
      { cited: [] },
      [REGISTRY, 'src/a'],
      [`governance-alone ${REGISTRY}`, 'intent-named -'],
    ],
    ['a registry in which more changed', {}, [REGISTRY, 'src/a'], [`governance-alone ${REGISTRY}`]],
    ['the lessons, which ride along', {}, ['.orchestration/AGENT.md', 'src/a'], []],
    ['the record of a completed intent', { cited: ['INT-004'], onlyTransitions: true }, [REGISTRY], []],
    ['an adoption that says why', { adoption: true, governance: 'adopt' }, [REGISTRY, 'any/thing'], []],
    ['an adoption that does not', { adoption: true }, [REGISTRY, 'any/thing'], ['adoption -']],
  ])('%s', (_, facts, paths, expected) => {
    expect(rulesOf(judgeCommit({ ...calmFacts, ...facts, changes: changesOf(paths) }))).toEqual(expected)
  })

  test('what git replays is shown and stops nothing', () => {
    const findings = judgeCommit({ ...calmFacts, replaying: true, cited: [], changes: changesOf(['docs/b']) })
    expect(findings.map(it => it.level)).toEqual(['review'])
  })

  test('a path outside says whose it is, and how to go on', () => {
    const [finding] = judgeCommit({ ...calmFacts, changes: changesOf(['docs/b']) })
    expect(finding?.message).toBe('docs/b is outside intent INT-001; INT-002 and INT-003 own it')
    expect(finding?.hint).toContain('Intent-ID: INT-002')
  })

  test('without an intent the refusal names the owners, not who is live (solo A16)', () => {
    const [finding] = judgeCommit({
      ...calmFacts,
      cited: [],
      live: ['INT-001', 'INT-002'],
      changes: changesOf(['src/a']),
    })
    expect(finding?.message).toBe('the message names no intent: INT-001 or INT-003 owns src/a')
    expect(finding?.hint).toBe('Add the trailer `Intent-ID: INT-001`')
  })
})

describe('what is staged, whatever the message will say', () => {
  test.each<[string, Partial<CommitFacts>, string[], string[]]>([
    ['owned by the live intent', {}, ['src/a'], []],
    ['owned by another intent in progress', {}, ['docs/b'], []],
    ['owned by an intent that nobody has begun', {}, ['next/a'], []],
    ['forbidden', {}, ['vendor/a'], ['path-forbidden vendor/a']],
    ['the governance plane alone', {}, ['.husky/x'], []],
    ['the governance plane and work', {}, ['.husky/x', 'src/a'], ['governance-alone .husky/x']],
    ['an adoption', { adoption: true }, [REGISTRY, 'lib/x'], []],
    ['no intent is open', { policy: { ...policy, intents: policy.intents.slice(3, 5) } }, ['src/a'], ['intent-open -']],
    ['no intents at all', { policy: { ...policy, intents: [] } }, ['src/a'], ['intent-open -']],
  ])('%s', (_, facts, paths, expected) => {
    expect(rulesOf(judgeStaged({ ...calmFacts, ...facts, changes: changesOf(paths) }))).toEqual(expected)
  })
})

describe('a merge', () => {
  const merge = (facts: Partial<CommitFacts>, paths: string[]) =>
    judgeCommit({ ...calmFacts, conflicted: [], cited: [], ...facts, changes: changesOf(paths) }).map(
      it => `${it.level} ${it.rule} ${it.path ?? '-'}`,
    )

  test.each<[string, Partial<CommitFacts>, string[], string[]]>([
    ['that adds nothing needs nothing', { cited: ['INT-004'] }, [], []],
    ['that changes something names an intent', {}, ['src/a'], ['block intent-named -']],
    ['that changes what the cited intent owns', { cited: ['INT-001'] }, ['src/a'], []],
    ['that changes what it does not own', { cited: ['INT-001'] }, ['docs/b'], ['block in-scope docs/b']],
    ['that settles a conflict outside is shown', { conflicted: ['docs/b'] }, ['docs/b'], ['review in-scope docs/b']],
    ['that settles one inside the live intent', { conflicted: ['src/a'] }, ['src/a'], []],
    [
      'that settles one in a forbidden path',
      { conflicted: ['vendor/a'] },
      ['vendor/a'],
      ['review path-forbidden vendor/a'],
    ],
    ['that changes a forbidden path', { cited: ['INT-001'] }, ['vendor/a'], ['block path-forbidden vendor/a']],
    [
      'that settles one and changes more',
      { conflicted: ['docs/b'], cited: ['INT-001'] },
      ['docs/b', 'old/c'],
      ['review in-scope docs/b', 'block in-scope old/c'],
    ],
  ])('%s', (_, facts, paths, expected) => {
    expect(merge(facts, paths)).toEqual(expected)
  })
})

describe('a commit that was made from others', () => {
  test.each<[string, Partial<CommitFacts>, string[], string[]]>([
    ['may name no intent', { cited: [], inherited: [work('INT-001', 'src/a')] }, ['src/a'], []],
    [
      'may be of a completed intent',
      { cited: ['INT-001'], inherited: [work('INT-004', 'old/c')] },
      ['src/a', 'old/c'],
      [],
    ],
    ['may cite it again', { cited: ['INT-004'], inherited: [work('INT-004', 'old/c')] }, ['old/c'], []],
    ['is held to their intents', { cited: [], inherited: [work('INT-004', 'src/a')] }, ['src/a'], ['in-scope src/a']],
    [
      'is held to the paths that they changed',
      { cited: ['INT-004'], inherited: [work('INT-004', 'old/c')] },
      ['old/c', 'old/d'],
      ['in-scope old/d'],
    ],
    [
      'takes nothing over from an intent that is not there',
      { cited: [], inherited: [work('INT-999', 'src/a')] },
      ['src/a'],
      ['intent-named -'],
    ],
  ])('%s', (_, facts, paths, expected) => {
    expect(rulesOf(judgeCommit({ ...calmFacts, ...facts, changes: changesOf(paths) }))).toEqual(expected)
  })
})

function work(intent: string, ...paths: string[]): InheritedWork {
  return { intents: [intent], changes: changesOf(paths), parent: null }
}
