import { expect, test } from 'vitest'
import { type ReviewFacts, reviewOf } from '../../../../src/core/report/review/review.ts'
import { reviewCommit, reviewFacts, reviewFinding, reviewIntent } from '../../../rig/review-facts.ts'

const topicsOf = (facts: ReviewFacts) => reviewOf(facts).findings.map(it => `${it.topic} ${it.rule}`)

test('what blocks comes first, then what takes a guard away, then governance, then the rest', () => {
  const rules = ['autosquash', 'governance-changed', 'check-changed', 'governance-loosened', 'ledger-gap']
  const blocking = ['in-scope', 'governance-alone', 'governance-loosened']
  const findings = [
    ...rules.map(it => reviewFinding(it)),
    reviewFinding('intent-named', { level: 'observe' }),
    ...blocking.map(it => reviewFinding(it, { level: 'block' })),
    reviewFinding('in-scope', { level: 'warn' }),
  ]
  const facts = reviewFacts({ findings })
  expect(topicsOf(facts)).toEqual([
    'blocking governance-loosened',
    'blocking governance-alone',
    'blocking in-scope',
    'loosened check-changed',
    'loosened governance-loosened',
    'governance governance-changed',
    'other autosquash',
    'other ledger-gap',
    'other in-scope',
    'observed intent-named',
  ])
  expect(reviewOf(facts).counts).toEqual({ block: 3, warn: 1, review: 5, observe: 1 })
})

test.each([
  ['blocked', { commits: [reviewCommit(1, [])], findings: [reviewFinding('in-scope', { level: 'block' as const })] }],
  ['passed', { commits: [reviewCommit(1, [])], findings: [reviewFinding('in-scope', { level: 'warn' as const })] }],
  ['nothing-judged', {}],
])('the verdict is %s', (verdict, facts) => {
  expect(reviewOf(reviewFacts(facts)).verdict).toBe(verdict)
})

test('a path with a finding of verify is out of scope, one that the scope covers is in it, others are neither', () => {
  const commits = [
    reviewCommit(1, ['src/a', 'lib/x', '.orchestration/config.yaml', 'src/refused']),
    reviewCommit(2, ['src/a', 'docs/d'], { cited: ['INT-001', 'INT-002'] }),
  ]
  const findings = [
    reviewFinding('in-scope', { path: 'lib/x' }),
    reviewFinding('path-forbidden', { path: 'src/refused', level: 'block' }),
    // Findings about something else, or about another commit, say nothing of these paths.
    reviewFinding('governance-changed', { path: '.orchestration/config.yaml' }),
    reviewFinding('in-scope', { path: 'src/a', commit: '9'.repeat(40) }),
  ]
  const intents = [reviewIntent(), reviewIntent({ id: 'INT-002', owned_scope: ['docs/**'] })]
  const { intents: reported } = reviewOf(reviewFacts({ commits, findings, intents }))
  expect(reported.map(it => [it.id, it.paths])).toEqual([
    [
      'INT-001',
      {
        inScope: ['src/a'],
        outOfScope: ['lib/x', 'src/refused'],
        others: ['.orchestration/config.yaml', 'docs/d'],
      },
    ],
    ['INT-002', { inScope: ['docs/d'], outOfScope: [], others: ['src/a'] }],
  ])
})

test('an intent has what the registry wants of it; one that the registry lacks has its id alone', () => {
  const acceptance_criteria = ['it is fast', { cmd: 'npm test' }]
  const intents = [reviewIntent({ acceptance_criteria, constraints: ['no new dependency'] })]
  const commits = [reviewCommit(1, []), reviewCommit(2, ['src/a'], { cited: ['INT-404'] })]
  expect(reviewOf(reviewFacts({ commits, intents })).intents).toMatchObject([
    {
      ...{ id: 'INT-001', name: 'work', constraints: ['no new dependency'], commits: ['1'.repeat(40)] },
      criteria: [
        { text: 'it is fast', isCommand: false },
        { text: 'npm test', isCommand: true },
      ],
    },
    { id: 'INT-404', name: null, criteria: [], constraints: [], paths: { inScope: [], others: ['src/a'] } },
  ])
})

test('commits without an intent are last; no governance commit is one, and no merge that changes nothing', () => {
  const commits = [
    reviewCommit(1, ['src/a'], { cited: [] }),
    reviewCommit(2, [], { cited: [], governance: 'why' }),
    reviewCommit(3, [], { cited: [], parents: ['a', 'b'] }),
    reviewCommit(4, []),
    reviewCommit(5, ['src/evil'], { cited: [], parents: ['a', 'b'] }),
  ]
  const review = reviewOf(reviewFacts({ commits }))
  expect(review.intents.map(it => [it.id, it.commits.map(oid => oid[0])])).toEqual([
    ['INT-001', ['4']],
    [null, ['1', '5']],
  ])
  expect(review.commits.map(it => [it.governance, it.isMerge])).toEqual([
    [null, false],
    ['why', false],
    [null, true],
    [null, false],
    [null, true],
  ])
})

test('an intent that only lines are recorded for is reported, with these lines alone', () => {
  const line = { contributor: { type: 'human' }, isDoubtful: false, isNoted: true, isOwn: false } as const
  const lines = [
    { ...line, intent: 'INT-001', lines: 1 },
    { ...line, intent: 'INT-002', lines: 2 },
    { ...line, intent: null, lines: 4 },
  ]
  const review = reviewOf(reviewFacts({ commits: [reviewCommit(1, [])], lines }))
  expect(review.intents.map(it => [it.id, it.lines.added])).toEqual([
    ['INT-001', 1],
    ['INT-002', 2],
    [null, 4],
  ])
  expect(review.lines.added).toBe(7)
})
