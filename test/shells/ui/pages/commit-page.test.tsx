import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { ChangedFile, CommitDiff } from '../../../../src/shells/ui/pages/commit-facts.ts'
import { verdictWord } from '../../../../src/shells/ui/pages/commit-page.tsx'
import { percentText } from '../../../../src/shells/ui/pages/commit-figures.tsx'
import type { RangeFacts } from '../../../../src/shells/ui/pages/range-facts.ts'
import { RangePage } from '../../../../src/shells/ui/pages/range-page.tsx'
import { type Review, reviewOf } from '../../../../src/core/report/review/review.ts'
import { reviewCommit, reviewFacts, reviewFinding, reviewIntent } from '../../../rig/review-facts.ts'

const now = Date.UTC(2026, 2, 10, 12)
const HOSTILE = '<script>alert(1)</script>\u001b[2J\u202e'
const OID = '1'.repeat(40)
const known = { isCurrent: true, share: 1, failure: null }

const review = reviewOf(
  reviewFacts({
    commits: [reviewCommit(1, ['src/a.ts'], { subject: HOSTILE })],
    intents: [reviewIntent({ name: HOSTILE })],
    findings: [
      reviewFinding('in-scope', { level: 'block', message: HOSTILE, hint: 'Widen it with `kotef scope add lib`.' }),
      reviewFinding('seen', { level: 'observe', message: 'only seen' }),
    ],
    lines: [
      ...[{ intent: 'INT-001', isDoubtful: false, isNoted: true, isOwn: false, contributor: { type: 'ai' as const } }],
    ].map(it => ({ ...it, lines: 4 })),
  }),
)

const ai = { kind: 'ai', model: HOSTILE } as const
const file: ChangedFile = {
  ...{ path: HOSTILE, from: HOSTILE, words: ['now executable'], added: 3, removed: 1, isGovernance: false, leftOut: 0 },
  hunks: [
    [
      { side: 'kept', by: null, lines: [{ number: 4, text: 'kept' }] },
      { side: 'removed', by: null, lines: [{ number: 5, text: 'removed' }] },
      { side: 'added', by: { intent: 'INT-001', author: ai }, lines: [{ number: 5, text: HOSTILE }] },
    ],
    [
      {
        side: 'added',
        by: { intent: null, author: { kind: 'unknown', model: null } },
        lines: [{ number: 9, text: 'n' }],
      },
    ],
  ],
}
const diff: CommitDiff = {
  ...{ parents: 1, isNoted: true, isJudged: true, files: [file], filesLeftOut: 0, added: 4, removed: 1 },
  authors: [
    { author: ai, lines: 3, doubtful: 1 },
    { author: { kind: 'unknown', model: null }, lines: 1, doubtful: 0 },
  ],
  intents: [
    { intent: 'INT-001', lines: 3 },
    { intent: null, lines: 1 },
  ],
}

function html(changed: Partial<CommitDiff> = {}, ofReview: Partial<Review> = {}): string {
  const facts: RangeFacts = {
    ...{ now, range: `${OID}^!`, ledger: known },
    commit: { oid: OID, subject: `pay ${HOSTILE}`, author: HOSTILE, at: '2026-03-10T11:00:00Z' },
    review: { ...known, value: { review: { ...review, ...ofReview }, judgedAt: now, diff: { ...diff, ...changed } } },
  }
  return renderToString(<RangePage {...facts} />)
}

const textOf = (page: string) => page.replace(/<[^>]*>/g, '')

test('a commit says its verdict and authors first, then what is wrong, then what changed (look A4)', () => {
  const text = textOf(html())
  const order = ['pay ', 'blocked', '1111111111', '1 h ago', 'Written for', 'INT-001', 'Written by', 'agent', '75 %']
  const places = [...order, 'unknown', '25 %', 'in-scope', 'Changes', 'kept', 'Judged'].map(it => text.indexOf(it))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(text.match(/pay /g)).toHaveLength(1)
  expect(text).toContain('1 of them perhaps by another')
  expect(text).not.toContain('only seen')
})

test('the counts lead to the lines of the commit', () => {
  const links = [...html().matchAll(/class="count" href="([^"]*)"/g)].map(it => it[1]?.replaceAll('&amp;', '&'))
  const lines = `lines?${new URLSearchParams({ range: `${OID}^!` })}`
  expect(links).toEqual([
    ...[`${lines}&intent=INT-001`, `${lines}&without=intent`],
    ...[`${lines}&author=ai&${new URLSearchParams({ model: HOSTILE })}`, `${lines}&author=unknown`],
  ])
})

test('a hint is a sentence, and each command in it can be copied', () => {
  expect(html()).toContain('data-copy="npx kotef-watch scope add lib"')
  expect(textOf(html())).toContain('Widen it with npx kotef-watch scope add lib.')
})

test('text of the repository is text, and what can not be seen is shown', () => {
  const page = html()
  for (const it of ['<script>', '\u001b', '\u202e']) expect(page).not.toContain(it)
  expect(page).toContain('\\u202e')
})

test.each<[string, Partial<CommitDiff>, string]>([
  ['without a note', { isNoted: false }, 'This commit has no note in this clone'],
  ['that is the first', { parents: 0 }, 'the first commit: it has no parent'],
  ['that is a merge', { parents: 2, files: [] }, 'a merge of 2 commits: what none of them has'],
])('a commit %s says so', (_, changed, words) => {
  expect(textOf(html(changed))).toContain(words)
})

test('a commit from before the adoption says that nobody recorded its authors', () => {
  const ranges = [{ name: '', from: null, to: OID, commits: 0, passedOver: 1, remark: null }]
  const text = textOf(html({ isJudged: false, authors: [], intents: [] }, { ranges, verdict: 'nothing-judged' }))
  expect(text).toContain('not judged: it is older than kotef in this repository. Nobody recorded who wrote its lines.')
  expect(text).not.toContain('Written by')
})

test('the verdict is a word: blocked, to be reviewed, passed, or none', () => {
  const word = (level: 'block' | 'warn' | 'review' | 'observe', verdict: Review['verdict'] = 'passed') =>
    verdictWord({ verdict, findings: [{ ...reviewFinding('r', { level }), topic: 'other' }] })
  expect(word('block', 'blocked')).toBe('blocked')
  expect([word('warn'), word('review'), word('observe')]).toEqual(['review', 'review', 'passed'])
  expect(word('observe', 'nothing-judged')).toBe('not judged')
})

test('a share is all only when nothing is left, and nothing only when there is none', () => {
  expect([percentText(3, 3), percentText(999, 1_000), percentText(1, 1_000), percentText(1, 3)]).toEqual([
    ...['100 %', '99 %', '1 %', '33 %'],
  ])
})
