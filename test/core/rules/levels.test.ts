import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/core/base/finding.ts'
import { ENFORCED_RULES, ENFORCEMENTS, type Enforcements } from '../../../src/core/intents/enforcement.ts'
import type { HandoverRule } from '../../../src/core/handover/handover-problem.ts'
import { asEnforced } from '../../../src/core/rules/apply-rules.ts'
import type { CommitFacts } from '../../../src/core/rules/commit-facts.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { governanceFinding, policyInRange } from '../../../src/core/rules/range-rules.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

/** A commit that breaks a rule, judged under some levels. */
type Judge = (enforcements: Enforcements) => readonly Finding[]

const commit =
  (paths: readonly string[], facts: Partial<CommitFacts> = {}): Judge =>
  enforcements =>
    judgeCommit({ ...calmFacts, ...facts, changes: changesOf(paths), policy: { ...policy, enforcements } })

const inRange =
  (finding: Finding): Judge =>
  enforcements =>
    asEnforced([finding], { enforcements })

const loosened = governanceFinding(
  '.orchestration/config.yaml',
  { description: 'the config is changed', effect: 'loosens' },
  { isStrict: true, approval: null, signature: null, isAgents: false, isSilentMerge: false },
)

const BROKEN: Readonly<Record<(typeof ENFORCED_RULES)[number], Judge>> = {
  'in-scope': commit(['lib/a']),
  'intent-named': commit(['src/a'], { cited: [] }),
  'intent-known': commit(['src/a'], { cited: ['INT-001', 'INT-099'] }),
  'intent-open': commit(['old/a'], { cited: ['INT-004'] }),
  'trailer-misplaced': commit(['src/a'], { cited: [], misplaced: ['INT-001'] }),
  'claim-held': commit(['docs/a'], { cited: ['INT-002'], byAgent: true, claimedByOthers: ['INT-002'] }),
  'other-intent': commit(['docs/a'], { cited: ['INT-002'], byAgent: true }),
  'chore-size': commit(['README.md'], {
    cited: ['CHORE-1'],
    chores: { lines: new Map([['README.md', 11]]), byAgents: [] },
  }),
  'chore-by-agent': commit(['README.md'], {
    cited: ['CHORE-1'],
    chores: { lines: new Map(), byAgents: ['README.md'] },
  }),
  'refactor-only': commit(['src/a'], {
    onlyRefactors: true,
    classes: new Map([['src/a', { mutation_class: 'INTENT_EVOLUTION', evidence: 'why' }]]),
  }),
  'path-forbidden': commit(['vendor/a']),
  'path-ignored': commit(['src/a.pem']),
  'path-malformed': commit(['src/\uFFFD']),
  'constraint-path': inRange({ ...loosened, rule: 'constraint-path' }),
  'constraint-command': inRange({ ...loosened, rule: 'constraint-command' }),
  'constraint-dependency': inRange({ ...loosened, rule: 'constraint-dependency' }),
  ...handoverRules([
    ...(['handover-format', 'handover-missing', 'handover-decision', 'handover-transition', 'handover-task'] as const),
    ...(['handover-retries', 'handover-approval', 'handover-done', 'handover-read-only', 'handover-role'] as const),
  ]),
  'governance-alone': commit(['.orchestration/config.yaml', 'src/a'], { governance: 'why', cited: [] }),
  'governance-reason': commit(['.orchestration/config.yaml'], { governance: '', cited: [] }),
  'governance-by-agent': commit(['.orchestration/config.yaml'], { governance: 'why', byAgent: true, agents: ['x'] }),
  'governance-loosened': inRange(loosened),
  'policy-in-range': inRange(policyInRange(loosened, null)),
}

function handoverRules<T extends HandoverRule>(rules: readonly T[]): Record<T, Judge> {
  const problem = { file: '.agents-work/2026-01-31_x/status.json', line: 1, pointer: null, expected: 'a', found: 'b' }
  const judges = rules.map(rule => [rule, commit(['src/a'], { handover: [{ rule, ...problem }] })] as const)
  return Object.fromEntries(judges) as Record<T, Judge>
}

const levelsOf = (rule: string, judge: Judge, enforcements: Enforcements) => [
  ...new Set(
    judge(enforcements)
      .filter(it => it.rule === rule)
      .map(it => it.level),
  ),
]

describe.each(ENFORCED_RULES)('%s', rule => {
  const judge = BROKEN[rule]
  test.each(ENFORCEMENTS)('of a repository at %s has that level', level => {
    expect(levelsOf(rule, judge, { enforce: level, rules: {} })).toEqual([level])
  })

  test.each(ENFORCEMENTS)('has a level of its own, %s, in any repository', level => {
    for (const enforce of ENFORCEMENTS)
      expect(levelsOf(rule, judge, { enforce, rules: { [rule]: level } })).toEqual([level])
  })

  test('is not changed by the level of another rule', () => {
    const others = Object.fromEntries(ENFORCED_RULES.filter(it => it !== rule).map(it => [it, 'observe' as const]))
    expect(levelsOf(rule, judge, { enforce: 'block', rules: others })).toEqual(['block'])
  })
})
