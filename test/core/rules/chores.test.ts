import { describe, expect, test } from 'vitest'
import { choreFlaw } from '../../../src/core/rules/chores.ts'
import type { ChoreFacts } from '../../../src/core/rules/commit-facts.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

// It serves two files and ten lines.
const noRoot = { ...policy, intents: policy.intents.filter(it => it.id !== 'INT-003') }
const standing = policy.intents.find(it => it.id === 'CHORE-1') ?? expect.fail()
const sized = (lines: Record<string, number>, byAgents: string[] = []): ChoreFacts => ({
  lines: new Map(Object.entries(lines)),
  byAgents,
})

test.each<[string, string[], ChoreFacts, boolean, string | null]>([
  ['two files, ten lines', ['a', 'b'], sized({ a: 4, b: 6 }), false, null],
  ['a binary file', ['a'], sized({}), false, null],
  ['no path', [], sized({ a: 99 }), true, null],
  [
    'three files',
    ['a', 'b', 'c'],
    sized({}),
    false,
    'of at most 2 files and 10 lines, and here are 3 files and 0 lines',
  ],
  ['eleven lines', ['a', 'b'], sized({ a: 5, b: 6 }), false, 'and here are 2 files and 11 lines'],
  ['an agent that commits', ['a'], sized({ a: 1 }), true, 'and an agent makes this one'],
  ['an agent that wrote', ['a', 'b'], sized({ a: 1 }, ['b']), false, 'and an agent wrote b'],
  ['a doubt', ['a', 'b'], { ...sized({ a: 1 }), perhapsByAgents: ['b'] }, false, 'and an agent may have written b'],
  ['a doubt elsewhere', ['a'], { ...sized({ a: 1 }), perhapsByAgents: ['b'] }, false, null],
])('%s', (_, paths, chores, byAgent, expected) => {
  const flaw = choreFlaw(standing, paths, { chores, byAgent })
  if (expected === null) expect(flaw).toBeNull()
  else expect(flaw?.message).toContain(expected)
})

describe('a commit', () => {
  const judged = (cited: string[], paths: string[], chores: ChoreFacts, more: Partial<typeof calmFacts> = {}) =>
    judgeCommit({ ...calmFacts, policy: noRoot, changes: changesOf(paths), cited, chores, ...more }).map(it => it.rule)

  test.each<[string, string[], string[], ChoreFacts, string[]]>([
    ['that is small', ['CHORE-1'], ['README.md'], sized({ 'README.md': 10 }), []],
    ['that is not', ['CHORE-1'], ['README.md'], sized({ 'README.md': 11 }), ['chore-size']],
    ['with work beside it', ['CHORE-1', 'INT-001'], ['README.md', 'src/a'], sized({ 'README.md': 9, 'src/a': 99 }), []],
    ['that is outside of it', ['CHORE-1'], ['src/a'], sized({}), ['in-scope']],
    ['that cites none, and is too large', [], ['README.md'], sized({ 'README.md': 11 }), ['chore-size']],
    ['that cites none, and is not', [], ['README.md'], sized({ 'README.md': 1 }), ['intent-named']],
  ])('%s', (_, cited, paths, chores, rules) => {
    expect(judged(cited, paths, chores)).toEqual(rules)
  })

  test('that takes a chore back may be large', () => {
    const changes = changesOf(['README.md'])
    const inherited = [{ intents: ['CHORE-1'], changes, parent: null }]
    expect(judged(['CHORE-1'], ['README.md'], sized({ 'README.md': 99 }), { inherited })).toEqual([])
  })

  test('of an agent is sent to ask for scope', () => {
    const facts = { ...calmFacts, byAgent: true, cited: [], changes: changesOf(['README.md']), chores: sized({}) }
    expect(judgeCommit(facts).map(it => it.hint)).toEqual([expect.stringContaining('request_scope_expansion')])
  })
})
