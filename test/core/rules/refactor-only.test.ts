import { expect, test } from 'vitest'
import { forbidsBehaviourChange, keepsBehaviour } from '../../../src/core/intents/intent.ts'
import { MUTATION_CLASSES, type MutationClass } from '../../../src/core/ledger/mutation-class.ts'
import { type CommitFacts, sortChanges } from '../../../src/core/rules/commit-facts.ts'
import { pathsKeepingBehaviour } from '../../../src/core/rules/refactor-only.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { effectivePolicy } from '../../../src/core/intents/scope/policy.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

const work = { id: 'INT-001', name: 'work', status: 'PENDING', owned_scope: ['src/**'] } as const
const tidying = { id: 'INT-002', name: 'tidy', status: 'PENDING', owned_scope: ['**'], keepsBehaviour: true } as const
const held = { ...policy, intents: [work, tidying] }

const judged = (mutation_class: MutationClass | null, more: Partial<CommitFacts> = {}) => {
  const classes = new Map(mutation_class ? [['src/a', { mutation_class, evidence: 'why' }]] : [])
  const facts = { ...calmFacts, policy: held, changes: changesOf(['src/a']), cited: ['INT-002'], classes, ...more }
  return judgeCommit(facts).map(it => `${it.level} ${it.rule}`)
}

test('a commit for a refactoring alone has no change but layout and refactorings; the unknown is for review', () => {
  const found = MUTATION_CLASSES.map(it => [it, ...judged(it)])
  expect(Object.fromEntries(found.map(([it, ...levels]) => [it, levels]))).toEqual({
    FORMAT: [],
    AST_REFACTOR: [],
    INTENT_EVOLUTION: ['block refactor-only'],
    UNKNOWN: ['review refactor-only'],
  })
  expect(judged(null)).toEqual(['review refactor-only'])
})

test.each<[string, Partial<CommitFacts>, string[]]>([
  ['another cited intent owns the path', { cited: ['INT-001', 'INT-002'] }, []],
  ['the cited intent may change behaviour', { cited: ['INT-001'] }, []],
  ['every path is to be refactored', { cited: ['INT-001'], onlyRefactors: true }, ['block refactor-only']],
  ['it is a merge', { conflicted: [] }, []],
  [
    'the other cited intent does not own the path',
    { changes: changesOf(['lib/a']), cited: ['INT-001', 'INT-002'] },
    ['review refactor-only'],
  ],
])('an evolution where %s', (_, more, expected) => {
  expect(judged('INTENT_EVOLUTION', more)).toEqual(expected)
})

test('the paths are known before they are classified', () => {
  const changes = changesOf(['src/a', 'lib/a'])
  const heldIn = (more: Partial<CommitFacts>) => {
    const facts = { ...calmFacts, policy: held, changes, ...more }
    return pathsKeepingBehaviour(facts, sortChanges(facts))
  }
  expect(heldIn({ cited: ['INT-002'] })).toEqual(['src/a', 'lib/a'])
  expect(heldIn({ cited: ['INT-001', 'INT-002'] })).toEqual(['lib/a'])
  expect(heldIn({ cited: ['INT-001'] })).toEqual([])
  expect(heldIn({ cited: ['INT-002'], conflicted: [] })).toEqual([])
})

test('a person is told to cite the owner, or to add one; an agent is told of no other intent', () => {
  const classes = new Map([['src/a', { mutation_class: 'INTENT_EVOLUTION', evidence: 'why' }] as const])
  const facts = { ...calmFacts, policy: held, changes: changesOf(['src/a']), cited: ['INT-002'], classes }
  const hint = (more: Partial<CommitFacts>) => judgeCommit({ ...facts, ...more })[0]?.hint
  expect(hint({})).toBe('Add the trailer `Intent-ID: INT-001`')
  expect(hint({ policy: { ...held, intents: [tidying] } })).toContain('kotef intent add')
  expect(hint({ byAgent: true, live: [tidying.id] })).not.toContain('INT-001')
})

test('a kind and a constraint keep behaviour, and a constraint with more words is advice', () => {
  expect(keepsBehaviour({ kind: 'refactor', constraints: [] })).toBe(true)
  expect(keepsBehaviour({ kind: undefined, constraints: ['x', 'DO NOT change behaviour'] })).toBe(true)
  expect(keepsBehaviour({ kind: undefined, constraints: ['x'] })).toBe(false)
  const all = [
    'No behaviour change.',
    'no behavioral changes',
    'Never alter the behavior',
    'must not change any behaviour',
  ]
  for (const it of all) expect(forbidsBehaviourChange(it), it).toBe(true)
  const others = [
    'No behaviour change in src/pay',
    'DO NOT change behaviour unless asked',
    'behaviour change',
    'No change',
  ]
  for (const it of others) expect(forbidsBehaviourChange(it), it).toBe(false)
})

test('the worktree can neither take the kind away, nor be late with it', () => {
  const free = { ...policy, intents: [{ ...tidying, keepsBehaviour: undefined }] as unknown as typeof policy.intents }
  const kept = { ...policy, intents: [tidying] }
  for (const [tree, head] of [
    [free, kept],
    [kept, free],
  ] as const)
    expect(effectivePolicy(tree, head).intents[0]?.keepsBehaviour).toBe(true)
  expect(effectivePolicy(free, free).intents[0]?.keepsBehaviour).toBeUndefined()
})
