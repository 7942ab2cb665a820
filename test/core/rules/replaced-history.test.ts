import { expect, test } from 'vitest'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import {
  droppedCommits,
  lostRegistry,
  otherHistory,
  policyTakenBack,
} from '../../../src/core/rules/replaced-history.ts'
import { calmFacts } from './commit-world.ts'

const tip = { name: 'refs/heads/main', old: 'a'.repeat(40), next: 'b'.repeat(40), isApproved: false }
const approved = { ...tip, isApproved: true }
const change = { path: '.sdd/KOTEF.md', description: 'it forbids less' }

test.each([
  ['a registry that is lost', lostRegistry(tip, { isBranch: true }), 'block'],
  ['a registry that is lost, whoever approves', lostRegistry(approved, { isBranch: true }), 'block'],
  ['the end of a range without one', lostRegistry(tip, { isBranch: false }), 'review'],
  ['another history', otherHistory(tip), 'block'],
  ['another history, approved', otherHistory(approved), 'review'],
  ['a policy that is taken back', policyTakenBack(tip, change), 'block'],
  ['the same, approved', policyTakenBack(approved, change), 'review'],
  ['work that is dropped', droppedCommits(tip, 2), 'review'],
])('%s: %j is for %s', (_, finding, level) => {
  expect(finding).toMatchObject({ rule: 'history-replaced', level })
  // The way out is a command.
  expect(finding.hint).toMatch(/`.+`$|says that a person replaces it\.$/)
})

test.each([
  ['an agent', 'replaces aaaaaaaaaa', true, ['governance-by-agent']],
  ['a person', 'replaces aaaaaaaaaa', false, []],
  ['an agent that gives another reason', 'replaces the config', true, []],
])('a commit that lets a push replace a history, by %s: %s', (_, governance, byAgent, rules) => {
  const facts = { ...calmFacts, cited: [], governance, byAgent }
  expect(judgeCommit(facts).map(it => it.rule)).toEqual(rules)
})
