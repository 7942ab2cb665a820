import { expect, test } from 'vitest'
import { pageMarkdown } from '../../../../src/core/report/review/page-markdown.ts'
import { reviewBlocks, reviewTitle } from '../../../../src/core/report/review/review-page.ts'
import { type ReviewFacts, reviewOf } from '../../../../src/core/report/review/review.ts'
import { reviewCommit, reviewFacts, reviewFinding, reviewIntent } from '../../../rig/review-facts.ts'

const LIMITS = { pointsMax: 10, charactersMax: 100 }

/** The headings of a report, and the titles of its folded lists. */
function outlineOf(facts: ReviewFacts, limits = LIMITS): string[] {
  return reviewBlocks(reviewOf(facts), limits).flatMap(it => {
    if (it.kind === 'folded') return [it.title]
    return it.kind === 'heading' ? [pageMarkdown([it], limits).replace(/^#+ |`/g, '')] : []
  })
}

test('findings come before intents, and of an intent what is out of scope before what is in it', () => {
  const commits = [
    reviewCommit(1, ['src/a', 'lib/x']),
    reviewCommit(2, ['.orchestration/config.yaml'], { cited: [], governance: 'why' }),
  ]
  const findings = [
    reviewFinding('in-scope', { level: 'block', path: 'lib/x' }),
    reviewFinding('governance-loosened'),
    reviewFinding('governance-changed'),
    reviewFinding('autosquash'),
    reviewFinding('intent-named', { level: 'observe' }),
  ]
  expect(outlineOf(reviewFacts({ commits, findings }))).toEqual([
    'kotef: blocked, 1 problem, 3 things to look at, 1 observed',
    'Blocks the merge',
    'Allows more, or checks less, than before',
    'Changes of governance files',
    'To look at',
    'INT-001 work',
    'Out of scope',
    '1 path in scope',
    '1 commit',
    '1 governance commit',
  ])
})

test.each([
  ['nothing blocks', { commits: [reviewCommit(1, [])] }],
  ['no commit to judge', {}],
])('the title says: %s', (title, facts) => {
  expect(reviewTitle(reviewOf(reviewFacts(facts)))).toBe(title)
})

test('intents beyond the limit are counted', () => {
  const intents = ['INT-001', 'INT-002', 'INT-003'].map(id => reviewIntent({ id, name: `of ${id}` }))
  const commits = intents.map(({ id }, n) => reviewCommit(n, [], { cited: [id] }))
  const outline = outlineOf(reviewFacts({ commits, intents }), { ...LIMITS, pointsMax: 1 })
  expect(outline.filter(it => !it.includes('commit'))).toEqual([
    'kotef: nothing blocks',
    'INT-001 of INT-001',
    '… and 2 more intents',
  ])
})

test('lines without a known author are in no row of an author', () => {
  const known = { intent: 'INT-001', isDoubtful: false, isNoted: true, isOwn: false } as const
  const lines = [
    { ...known, contributor: { type: 'ai', model_id: 'm/1' }, isDoubtful: true, lines: 3 } as const,
    { ...known, contributor: { type: 'human' }, lines: 1 } as const,
    { ...known, contributor: { type: 'unknown' }, lines: 5 } as const,
    { ...known, contributor: { type: 'unknown' }, isNoted: false, lines: 7 } as const,
    { ...known, contributor: { type: 'unknown' }, isOwn: true, lines: 9 } as const,
  ]
  const blocks = reviewBlocks(reviewOf(reviewFacts({ commits: [reviewCommit(1, [])], lines })), LIMITS)
  const parts = pageMarkdown(blocks, LIMITS).split('\n\n')
  const at = parts.findIndex(it => /^\d+ lines added/.test(it))
  expect(parts[at]).toBe(
    '25 lines added: 4 with a recorded author, 5 with an unknown one, 7 in commits without a note, ' +
      "9 of kotef's own files",
  )
  expect(parts[at + 1]?.split('\n')).toEqual([
    '- 3 lines by an agent `m/1` (3 of them perhaps by somebody else)',
    '- 1 line by a person',
  ])
})
