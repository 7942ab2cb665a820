import type { JSX } from 'preact'
import { reviewBlocks } from '../../../core/report/review/review-page.ts'
import type { Review } from '../../../core/report/review/review.ts'
import { CommitPage } from './commit-page.tsx'
import { PageTitle } from './layout.tsx'
import { CommitLink } from './lines-page.tsx'
import { DataText, IntentLink, Section, Table } from './parts.tsx'
import { JudgedLine, RangeNotices } from './range-notices.tsx'
import { ReportBlocks } from './report-blocks.tsx'
import type { RangeFacts } from './range-facts.ts'

/**
 * The page of a range of commits: the report of `kotef report`, with links to what it names. That of one commit shows
 * what it changes.
 */
export function RangePage(facts: RangeFacts): JSX.Element {
  const { range, commit, review, now } = facts
  if (commit) return <CommitPage facts={facts} commit={commit} />
  const { value } = review
  return (
    <div data-awaits>
      <PageTitle title="Commits">
        <code class="range">
          <DataText text={range} />
        </code>
      </PageTitle>
      <RangeNotices facts={facts} what="These commits" />
      {value && <ReportBlocks blocks={reviewBlocks(value.review, LIMITS)} limits={LIMITS} range={range} />}
      {value && <CommitTable review={value.review} />}
      {value && <JudgedLine judgedAt={value.judgedAt} now={now} />}
    </div>
  )
}

const LIMITS = { pointsMax: 10_000, charactersMax: 2_000 }

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
