import type { JSX } from 'preact'
import { Command } from './command-text.tsx'
import { LiveOnly, PageTitle } from './layout.tsx'
import { links, type RecordQuery } from './links.ts'
import { Empty, groupedDigits } from './parts.tsx'
import { RecordFilters } from './record-filters.tsx'
import { type RecordFacts, RecordItem } from './record-row.tsx'

/** A page of the records that a query finds. */
export type RecordsFacts = {
  readonly now: number
  readonly query: RecordQuery
  /** Why the query can't be answered; null when it can. */
  readonly problem: string | null
  /** The newest first. */
  readonly records: readonly RecordFacts[]
  /** How many more match, on later and on earlier pages. */
  readonly older: number
  readonly newer: number
  /** The number of the oldest one shown: the next page shows those before it. */
  readonly oldest: number | null
  /** Lines of the ledger that are not records. */
  readonly damagedLines: number
}

/** The page of records: the list behind each number of records. */
export function RecordsPage(facts: RecordsFacts): JSX.Element {
  const { query, records, problem, now } = facts
  return (
    <>
      <PageTitle title="Records">
        <span class="quiet">{problem === null && placeText(facts)}</span>
      </PageTitle>
      <LiveOnly>
        <RecordFilters query={query} />
      </LiveOnly>
      {problem !== null && <p class="failure">{problem}</p>}
      {facts.damagedLines > 0 && (
        <p class="failure">
          {groupedDigits(facts.damagedLines)} lines of the ledger have a problem: <Command text="kotef trace verify" />
        </p>
      )}
      {records.length === 0 && problem === null && <Empty text="No record matches." />}
      <ol class="records is-wide" aria-label="Records, newest first">
        {records.map(it => (
          <RecordItem record={it} now={now} />
        ))}
      </ol>
      <Pager facts={facts} />
    </>
  )
}

function placeText({ records, older, newer }: RecordsFacts): string {
  const all = older + newer + records.length
  if (records.length === 0) return 'none'
  return `${groupedDigits(newer + 1)}–${groupedDigits(newer + records.length)} of ${groupedDigits(all)}`
}

function Pager({ facts: { query, older, newer, oldest } }: { readonly facts: RecordsFacts }): JSX.Element {
  return (
    <nav class="pager" aria-label="Pages of this list">
      {newer > 0 && <a href={links.records({ ...query, before: undefined })}>Newest</a>}
      {older > 0 && oldest !== null && <a href={links.records({ ...query, before: oldest })}>Older</a>}
    </nav>
  )
}
