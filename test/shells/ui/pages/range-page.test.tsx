import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { RangeFacts } from '../../../../src/shells/ui/pages/range-facts.ts'
import { RangePage } from '../../../../src/shells/ui/pages/range-page.tsx'
import { ReportBlocks } from '../../../../src/shells/ui/pages/report-blocks.tsx'
import { reviewOf } from '../../../../src/core/report/review/review.ts'
import { reviewCommit, reviewFacts, reviewFinding, reviewIntent } from '../../../rig/review-facts.ts'

const now = Date.UTC(2026, 2, 10, 12)
const HOSTILE = '<script>alert(1)</script>\u001b[2J\u202e'
const known = { isCurrent: true, share: 1, failure: null }

const noted = { intent: 'INT-001', isDoubtful: false, isNoted: true, isOwn: false } as const
const review = reviewOf(
  reviewFacts({
    commits: [
      reviewCommit(1, ['src/a.ts', HOSTILE], { subject: HOSTILE }),
      reviewCommit(2, ['.orchestration/config.yaml'], { cited: [], governance: HOSTILE }),
    ],
    intents: [reviewIntent({ name: HOSTILE })],
    findings: [reviewFinding('in-scope', { level: 'block', path: HOSTILE, message: HOSTILE })],
    lines: [
      { ...noted, contributor: { type: 'ai', model_id: HOSTILE }, lines: 3 },
      { ...noted, contributor: { type: 'unknown' }, lines: 5 },
      { ...noted, contributor: { type: 'unknown' }, isNoted: false, intent: null, lines: 7 },
    ],
  }),
)

const facts: RangeFacts = {
  now,
  range: 'main..w',
  commit: null,
  review: { ...known, value: { review, judgedAt: now, diff: null } },
  ledger: known,
}
const html = (changed: Partial<RangeFacts> = {}) => renderToString(<RangePage {...facts} {...changed} />)

test('what a report names leads to its page, and each number to its list', () => {
  const links = [...html().matchAll(/href="([^"]*)"/g)].map(([, it = '']) => it.replaceAll('&amp;', '&'))
  for (const it of [
    ...['intents/INT-001', 'files/src/a.ts', `ranges/${'1'.repeat(40)}%5E!`, 'ranges/main..w#s-commits'],
    ...['lines?range=main..w', 'lines?range=main..w&author=recorded&note=yes', 'lines?range=main..w&note=no'],
    ...['lines?range=main..w&author=unknown&note=yes&intent=INT-001', 'lines?range=main..w&without=intent'],
    `lines?range=main..w&author=ai&note=yes&intent=INT-001&${new URLSearchParams({ model: HOSTILE })}`,
  ])
    expect(links, it).toContain(it)
})

test('the words are those of kotef report', () => {
  const text = html().replace(/<[^>]*>/g, '')
  expect(text).toContain('kotef: blocked, 1 problem')
  expect(text).toContain('15 lines added: 3 with a recorded author, 5 with an unknown one, 7 in commits without a note')
  expect(text).toContain('2 commits judged')
})

test('says that the ledger is not checked yet, beside the report on the commits', () => {
  const page = html({ ledger: { isCurrent: false, share: 0.4, failure: null } })
  expect(page).toContain(
    '<p class="notice" data-pending="40">The findings in the ledger are still being counted (40 %).',
  )
  expect(page).toContain('blocked, 1 problem')
  expect(html()).not.toContain('data-pending')
})

test('text of the repository is text', () => {
  const page = html({ range: HOSTILE })
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('\u001b')
  expect(page).not.toContain('\u202e')
})

test('a range that is being judged says so', () => {
  const page = html({ review: { value: null, isCurrent: false, share: 0, failure: null } })
  expect(page).toContain('These commits are still being counted (0')
  expect(page).not.toContain('Judged')
})

test('a list has as many points as its limits allow, and says how many more there are', () => {
  const points = [1, 2, 3, 4].map(it => ({ line: [{ data: `p${it}` }], below: [['under']] }))
  const of = { limits: { pointsMax: 2, charactersMax: 10 }, range: 'a..b' }
  const page = renderToString(
    <ReportBlocks
      blocks={[
        { kind: 'list', points },
        { kind: 'folded', title: 'more', points: points.slice(3) },
      ]}
      {...of}
    />,
  )
  expect(page).toContain('… and 2 more')
  expect(page).toContain('<summary>more</summary>')
  expect(page).not.toContain('p3')
})
