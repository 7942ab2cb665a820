import { expect, test } from 'vitest'
import {
  failureMarkdown,
  reviewHtml,
  reviewJson,
  reviewMarkdown,
} from '../../../../src/core/report/review/review-text.ts'
import { reviewOf } from '../../../../src/core/report/review/review.ts'
import { reviewCommit, reviewFacts, reviewFinding, reviewIntent } from '../../../rig/review-facts.ts'

const GITHUB_CHARACTERS_MAX = 65_536

/** A range in which there is as much as wanted of everything, and every text is long. */
function largeReview(count: number, text: string) {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const intents = numbers.map(n =>
    reviewIntent({
      id: `INT-${n}`,
      name: text,
      constraints: numbers.map(it => `${it} ${text}`),
      acceptance_criteria: numbers.map(it => `${it} ${text}`),
    }),
  )
  const commits = numbers.map(n => ({
    ...reviewCommit(n, [...numbers.map(it => `src/${it}${text}`), ...numbers.map(it => `lib/${it}${text}`)]),
    ...{ oid: String(n).padStart(40, '0'), subject: text, cited: intents.map(it => it.id) },
  }))
  const levels = ['block', 'review'] as const
  const findings = numbers.flatMap(n =>
    levels.flatMap(level =>
      ['in-scope', 'governance-loosened', 'governance-changed', 'autosquash'].map(rule =>
        reviewFinding(rule, {
          level,
          message: text,
          hint: text,
          path: `lib/${n}${text}`,
          commit: commits[0]?.oid ?? '',
        }),
      ),
    ),
  )
  return reviewOf(reviewFacts({ commits, intents, findings }))
}

test.each([
  ['long texts', 12, 'x'.repeat(5_000)],
  ['texts that take much room once they are escaped', 12, '\u202e`'.repeat(500)],
  ['characters of four bytes', 12, '😀'.repeat(500)],
])('a report fits into a comment of GitHub, whatever the range has: %s', (_, count, text) => {
  const markdown = reviewMarkdown(largeReview(count, text))
  expect(Buffer.byteLength(markdown)).toBeLessThan(GITHUB_CHARACTERS_MAX)
  expect(markdown).toMatch(/… and \d+ more$/m)
})

test('what a limit leaves out is counted, and JSON has all of it', () => {
  const review = largeReview(30, 'x'.repeat(200))
  const markdown = reviewMarkdown(review)
  const [, shown = ''] = /#### Blocks the merge\n\n([^]*?)\n\n/.exec(markdown) ?? []
  const points = shown.split('\n').filter(it => it.startsWith('- `'))
  expect(shown).toContain(`- … and ${120 - points.length} more`)
  expect(JSON.parse(reviewJson(review)).findings).toHaveLength(240)
  expect(reviewHtml(review)).not.toContain('… and')
})

test('a report has the keys that the page of it names', () => {
  const review = JSON.parse(reviewJson(largeReview(1, 'x')))
  expect(Object.keys(review)).toEqual([
    ...['version', 'verdict', 'ranges', 'counts', 'findings', 'intents', 'lines', 'commits'],
  ])
  expect(Object.keys(review.intents[0])).toEqual([
    ...['id', 'name', 'criteria', 'constraints', 'paths', 'lines', 'commits'],
  ])
  expect(Object.keys(review.findings[0]).sort()).toEqual([
    ...['commit', 'hint', 'level', 'message', 'path', 'rule', 'subject', 'topic'],
  ])
})

test('what can not be judged says why, as text', () => {
  expect(failureMarkdown({ message: 'There is no <b>.', hint: 'Fetch `it`.' })).toBe(
    "### kotef: can't judge these commits\n\n`There is no <b>.`\n\n``Fetch `it`.``",
  )
})
