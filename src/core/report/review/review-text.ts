import { Buffer } from 'node:buffer'
import { pageHtml } from './page-html.ts'
import { pageMarkdown } from './page-markdown.ts'
import type { PageLimits } from './page.ts'
import type { KotefError } from '../../base/failure.ts'
import { KOTEF_ANYWHERE, withTypedName } from '../../base/kotef-command.ts'
import type { Review } from './review.ts'
import { reviewBlocks, reviewTitle } from './review-page.ts'

/** A report as Markdown, short enough for a comment: the longer it is, the fewer points each list has. */
export function reviewMarkdown(review: Review): string {
  let text = ''
  for (const limits of MARKDOWN_LIMITS) {
    text = pageMarkdown(reviewBlocks(review, limits), limits)
    if (Buffer.byteLength(text) <= COMMENT_BYTES_MAX) break
  }
  return text
}

// GitHub takes 65,536 characters in a comment.
const COMMENT_BYTES_MAX = 60_000

// The last one is short enough, whatever the range has.
const MARKDOWN_LIMITS: readonly PageLimits[] = [
  { pointsMax: 100, charactersMax: 300 },
  { pointsMax: 25, charactersMax: 300 },
  { pointsMax: 8, charactersMax: 160 },
  { pointsMax: 3, charactersMax: 80 },
]

/** The report on a range that can't be judged, as Markdown. */
export function failureMarkdown({ message, hint }: Pick<KotefError, 'message' | 'hint'>): string {
  const limits = { pointsMax: 1, charactersMax: 2_000 }
  const title = { kind: 'heading', level: 1, line: ["kotef: can't judge these commits"] } as const
  const texts = [message, withTypedName(hint, KOTEF_ANYWHERE)].map(
    data => ({ kind: 'paragraph', line: [{ data }] }) as const,
  )
  return pageMarkdown([title, ...texts], limits)
}

/** A report as one file of HTML. */
export function reviewHtml(review: Review): string {
  return pageHtml(`kotef: ${reviewTitle(review)}`, reviewBlocks(review, HTML_LIMITS), HTML_LIMITS)
}

const HTML_LIMITS: PageLimits = { pointsMax: 2_000, charactersMax: 2_000 }

/** A report as JSON, whole. */
export function reviewJson(review: Review): string {
  return JSON.stringify(review, null, 2)
}
