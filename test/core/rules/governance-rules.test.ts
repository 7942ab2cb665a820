import { expect, test } from 'vitest'
import type { CommitFacts } from '../../../src/core/rules/commit-facts.ts'
import { applyRules } from '../../../src/core/rules/apply-rules.ts'
import { aPersonTakesBack, governanceIsDeclared } from '../../../src/core/rules/governance-rules.ts'
import { calmFacts } from './commit-world.ts'

const [WIDE, NARROW] = ['1', '2'].map(it => ({ mode: '100644', oid: it.repeat(40) })) as [
  { mode: string; oid: string },
  { mode: string; oid: string },
]
const narrowing = { path: '.husky/x', before: WIDE, after: NARROW }
const revert: CommitFacts = {
  ...calmFacts,
  cited: [],
  changes: [{ path: '.husky/x', before: NARROW, after: WIDE }],
  inherited: [{ intents: [], changes: [narrowing] }] as never,
}

test.each<[string, Partial<CommitFacts>, string[]]>([
  ['by a person', {}, []],
  ['beside an agent', { agents: ['claude'] }, ['governance-by-agent']],
  ['beside an agent, approved', { agents: ['claude'], approved: true }, []],
  ['of lines of an agent', { governanceByAgents: ['.husky/x'] }, ['governance-by-agent']],
  ['of nothing', { agents: ['claude'], inherited: [] }, ['governance-alone']],
])('a revert of a governance commit %s', (_, facts, rules) => {
  const findings = applyRules({ ...revert, ...facts }, [governanceIsDeclared, aPersonTakesBack])
  expect(findings.map(it => it.rule)).toEqual(rules)
})
