import { expect, test } from 'vitest'
import { applyRules, nothingIsBarred, type Rule } from '../../../src/core/rules/apply-rules.ts'
import { calmFacts, changesOf } from './commit-world.ts'

/** Finds something about the commit as a whole, and about each of its paths. */
const everything: Rule = ({ changes }) =>
  [null, ...changes.map(it => it.path)].map(path => ({ rule: 'r', level: 'block', path, message: 'm', hint: 'h' }))

const apply = (facts: Partial<typeof calmFacts>, paths: string[]) =>
  applyRules({ ...calmFacts, ...facts, changes: changesOf(paths) }, [everything])

test.each<[string, Partial<typeof calmFacts>, string[], string[]]>([
  ['a commit: all stops it', {}, ['a'], ['block', 'block a']],
  ['a replay: nothing stops it', { replaying: true }, ['a'], ['review', 'review a']],
  ['a merge that adds nothing: it needs nothing', { conflicted: [] }, [], ['review']],
  ['a merge that only settles conflicts: nothing stops it', { conflicted: ['a'] }, ['a'], ['review', 'review a']],
  [
    'a merge that changes more: only that stops it',
    { conflicted: ['a'] },
    ['a', 'b'],
    ['block', 'review a', 'block b'],
  ],
])('%s', (_, facts, paths, expected) => {
  expect(apply(facts, paths).map(it => `${it.level} ${it.path ?? ''}`.trim())).toEqual(expected)
})

test('of a merge each finding says whether its path was in conflict', () => {
  const messages = apply({ conflicted: ['a'] }, ['a', 'b']).map(it => it.message)
  expect(messages).toEqual(['m', expect.stringMatching(/^m; .*conflict/), expect.stringMatching(/^m; the merge/)])
})

test('rules are applied in their order, each to all the facts', () => {
  const rules = ['1', '2'].map(
    (rule): Rule =>
      (facts, sorted) =>
        everything(facts, sorted).map(it => ({ ...it, rule })),
  )
  const findings = applyRules({ ...calmFacts, changes: changesOf(['a']) }, rules)
  expect(findings.map(it => it.rule)).toEqual(['1', '1', '2', '2'])
})

test.each([
  ['vendor/a', 'path-forbidden', 'vendor/**'],
  ['src/a.pem', 'path-ignored', '*.pem'],
  ['src/\uFFFD', 'path-malformed', 'UTF-8'],
])('%s is barred by %s, which names what decided', (path, rule, by) => {
  const [finding] = applyRules({ ...calmFacts, changes: changesOf([path, 'src/a']) }, [nothingIsBarred])
  expect([finding?.rule, finding?.path]).toEqual([rule, path])
  expect(finding?.message).toContain(by)
})

test.each<[string, string, string, Partial<typeof calmFacts>]>([
  ['reverts a change of a closed path', 'review', 'vendor/a', {}],
  ['reverts a change of an ignored path', 'review', 'src/a.pem', {}],
  ['reverts a change, but by an agent', 'block', 'vendor/a', { byAgent: true }],
  ['changes a closed path, and takes nothing back', 'block', 'vendor/b', {}],
])('a commit that %s: %s', (_, level, path, facts) => {
  const before = { mode: '100644', oid: '1'.repeat(40) }
  const taken = [{ path: path.replace('b', 'other'), before, after: null }]
  const given = { ...calmFacts, inherited: [{ intents: [], changes: taken, parent: null }], ...facts }
  const findings = applyRules({ ...given, changes: [{ path, before: null, after: before }] }, [nothingIsBarred])
  expect(findings.map(it => it.level)).toEqual([level])
})

test('a path that is reverted to other content than it had is closed', () => {
  const [before, other] = ['1', '2'].map(it => ({ mode: '100644', oid: it.repeat(40) }))
  const inherited = [
    { intents: [], changes: [{ path: 'vendor/a', before: before ?? null, after: null }], parent: null },
  ]
  const changes = [{ path: 'vendor/a', before: null, after: other ?? null }]
  expect(applyRules({ ...calmFacts, inherited, changes }, [nothingIsBarred])[0]?.level).toBe('block')
})
