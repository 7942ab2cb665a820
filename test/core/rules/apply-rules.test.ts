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
