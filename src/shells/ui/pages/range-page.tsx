import type { JSX } from 'preact'
import { reviewBlocks } from '../../../core/report/review/review-page.ts'
import type { Review } from '../../../core/report/review/review.ts'
import { PageTitle } from './layout.tsx'
import { CommitLink } from './lines-page.tsx'
import { links } from './links.ts'
import { DataText, IntentLink, Section, Table, When } from './parts.tsx'
import { ReportBlocks } from './report-blocks.tsx'
import type { SlowFacts } from './slow-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

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

/** The report on a range, and when it was judged, in milliseconds since 1970. */
export type JudgedRangeFacts = { readonly review: Review; readonly judgedAt: number }

/** The page of a range of commits: the report of `kotef report`, with links to what it names. */
export function RangePage(facts: RangeFacts): JSX.Element {
  const { range, commit, review, ledger, now } = facts
  const { value } = review
  const notice = { ...review, isKnown: value !== null }
  return (
    <div data-awaits>
      <PageTitle title={commit ? 'Commit' : 'Commits'}>
        <code class="range">
          <DataText text={commit?.oid ?? range} />
        </code>
      </PageTitle>
      {commit && <CommitLine commit={commit} now={now} />}
      <SlowNotice what="These commits" facts={notice} here={links.range(range)} />
      {review.isCurrent && (
        <SlowNotice what="The findings in the ledger" facts={{ ...ledger, isKnown: false }} here={links.range(range)} />
      )}
      {value && <ReportBlocks blocks={reviewBlocks(value.review, LIMITS)} limits={LIMITS} range={range} />}
      {value && <CommitTable review={value.review} />}
      {value && (
        <p class="hint">
          Judged <When at={new Date(value.judgedAt).toISOString()} now={now} />, as <code>kotef report</code> does,
          without running checks.
        </p>
      )}
    </div>
  )
}

const LIMITS = { pointsMax: 10_000, charactersMax: 2_000 }

function CommitLine({ commit: { subject, author, at }, now }: { readonly commit: CommitHead; readonly now: number }) {
  return (
    <p class="commit-line">
      <DataText text={subject} />{' '}
      <span class="hint">
        by <DataText text={author} />, <When at={at} now={now} />
      </span>
    </p>
  )
}

function CommitTable({ review: { commits } }: { readonly review: Review }): JSX.Element {
  return (
    <Section title="Commits">
      <Table
        caption="Judged commits"
        columns={['Commit', 'Subject', 'Intents', 'Remark']}
        rows={commits.map(({ commit, subject, intents, governance, isMerge }) => [
          <CommitLink oid={commit} />,
          <DataText text={subject} />,
          intents.length === 0 ? 'no intent' : intents.map(it => <IntentLink id={it} />),
          <>
            {isMerge && 'merge '}
            {governance !== null && (
              <>
                governance: <DataText text={governance} />
              </>
            )}
          </>,
        ])}
        empty="No commit was judged."
      />
    </Section>
  )
}
