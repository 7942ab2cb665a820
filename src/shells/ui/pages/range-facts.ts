import type { Review } from '../../../core/report/review/review.ts'
import type { CommitDiff } from './commit-facts.ts'
import type { SlowFacts } from './slow-facts.ts'

/** A range of commits, or one commit. */
export type RangeFacts = {
  readonly now: number
  /** As in the address: `A..B`, or `A^!`. */
  readonly range: string
  /** Of a range that is one commit; else null. */
  readonly commit: CommitHead | null
  readonly review: SlowFacts<JudgedRangeFacts>
  /** How far the ledger is checked, whose findings are in the report as well. */
  readonly ledger: Omit<SlowFacts<unknown>, 'value'>
}

/** What a commit says of itself. */
export type CommitHead = {
  readonly oid: string
  readonly subject: string
  readonly author: string
  /** ISO 8601. */
  readonly at: string
}

/** The report on a range, when it was judged, in milliseconds since 1970, and what a single commit changes. */
export type JudgedRangeFacts = {
  readonly review: Review
  readonly judgedAt: number
  readonly diff: CommitDiff | null
}
