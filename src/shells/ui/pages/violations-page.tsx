import type { JSX } from 'preact'
import { PageTitle } from './layout.tsx'
import { links, type ViolationQuery } from './links.ts'
import { DataText, Empty, groupedDigits } from './parts.tsx'
import { Pager } from './pager.tsx'
import { type RecordFacts, RecordItem } from './record-row.tsx'
import type { SlowFacts } from './slow-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

/** A page of the list of violations, newest first. */
export type ViolationsFacts = {
  readonly now: number
  readonly query: ViolationQuery
  readonly total: number
  readonly records: readonly RecordFacts[]
  readonly pageLength: number
  readonly reading: Omit<SlowFacts<unknown>, 'value'>
}

/** The list of violations behind a number. */
export function ViolationsPage({ now, query, total, records, pageLength, reading }: ViolationsFacts): JSX.Element {
  const here = links.violations(query)
  return (
    <div data-awaits>
      <PageTitle title="Violations" />
      <p class="totals" id="total">
        {groupedDigits(total)} {total === 1 ? 'violation' : 'violations'}
        {query.rule !== undefined && (
          <>
            {' '}
            of the rule <DataText text={query.rule} />
          </>
        )}
        {query.intent !== undefined && (
          <>
            {' '}
            of <DataText text={query.intent} />
          </>
        )}
        {query.since !== undefined && ` since ${query.since}`}
        {query.until !== undefined && ` before ${query.until}`}
      </p>
      <SlowNotice what="The violations" facts={{ ...reading, isKnown: reading.isCurrent }} here={here} />
      {records.length === 0 && <Empty text="No violation is in this list." />}
      <ol class="records" aria-label="Violations">
        {records.map(it => (
          <RecordItem record={it} now={now} />
        ))}
      </ol>
      <Pager
        total={total}
        pageLength={pageLength}
        from={query.from ?? 0}
        shown={records.length}
        hrefOf={from => links.violations({ ...query, from })}
      />
    </div>
  )
}
