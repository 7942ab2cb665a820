import type { JSX } from 'preact'
import type { LoggedCommit } from '../../../core/git/log.ts'
import type { MapEntry } from '../../../core/code/map/map-entry.ts'
import type { Happening } from './happenings.ts'
import { HistoryList } from './history-list.tsx'
import type { FileLineCounts, IntentSession, Part, RecordsRead } from './intent-facts.ts'
import { LIST_ROWS } from './intent-lists.ts'
import { SessionTable } from './intent-sessions.tsx'
import { CommitTable, DeclarationTable, FileTable } from './intent-tables.tsx'
import { PageTitle } from './layout.tsx'
import { type IntentListName, type IntentListQuery, links } from './links.ts'
import { Pager } from './pager.tsx'
import { Count, DataText, groupedDigits, IntentLink } from './parts.tsx'
import { type RecordFacts, RecordItem } from './record-row.tsx'
import type { SlowFacts } from './slow-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

/** A list of what an intent has, of which the page shows a part. */
export type IntentListFacts = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly intent: { readonly id: string; readonly name: string }
  readonly query: IntentListQuery
  readonly list: IntentList
  /** How far the facts of the list are known. */
  readonly reading: Omit<SlowFacts<unknown>, 'value'> & { readonly isKnown: boolean }
  /** Of lists that are made of records; null for others. */
  readonly records: RecordsRead | null
}

/** The rows of each list. */
export type IntentList =
  | { readonly name: 'sessions'; readonly part: Part<IntentSession> }
  | { readonly name: 'commits'; readonly part: Part<LoggedCommit> }
  | { readonly name: 'files'; readonly part: Part<FileLineCounts> }
  | { readonly name: 'declarations'; readonly part: Part<MapEntry> }
  | { readonly name: 'history'; readonly part: Part<Happening> }
  | { readonly name: 'writes'; readonly part: Part<RecordFacts> }

/** The page of such a list. */
export function IntentListPage(facts: IntentListFacts): JSX.Element {
  const { intent, query, list, reading, records } = facts
  const { total, rows } = list.part
  const hrefOf = (from: number | undefined) => links.intentList(intent.id, list.name, { ...query, from })
  return (
    <div data-awaits data-live="list">
      <PageTitle title={LIST_TITLES[list.name]}>
        <span class="name">
          of <IntentLink id={intent.id} /> <DataText text={intent.name} />
        </span>
      </PageTitle>
      <SlowNotice what="The entries of the list" facts={reading} here={hrefOf(query.from)} />
      <p class="totals" id="total">
        {groupedDigits(total)} {total === 1 ? 'entry' : 'entries'} <Filter facts={facts} />
      </p>
      {records && records.read < records.all && <Cut id={intent.id} records={records} />}
      <Rows facts={facts} />
      <Pager total={total} from={query.from ?? 0} shown={rows.length} pageLength={LIST_ROWS} hrefOf={hrefOf} />
    </div>
  )
}

const LIST_TITLES: Readonly<Record<IntentListName, string>> = {
  sessions: 'Sessions',
  commits: 'Commits',
  files: 'Files',
  declarations: 'Declarations',
  history: 'History',
  writes: 'Writes',
}

function Filter({ facts: { intent, query, list } }: { readonly facts: IntentListFacts }): JSX.Element | null {
  const words = [query.kind ?? '', query.day === undefined ? '' : `on ${query.day}`].filter(Boolean).join(' ')
  if (words === '') return null
  return (
    <span class="filter">
      only <DataText text={words} /> <a href={links.intentList(intent.id, list.name)}>Show all</a>
    </span>
  )
}

function Cut({ id, records }: { readonly id: string; readonly records: RecordsRead }): JSX.Element {
  return (
    <p class="notice">
      Of the newest {groupedDigits(records.read)} of{' '}
      <Count n={records.all} href={links.records({ intent: id })} of={`records of ${id}`} /> records.
    </p>
  )
}

function Rows({ facts: { intent, list, now } }: { readonly facts: IntentListFacts }): JSX.Element {
  switch (list.name) {
    case 'sessions':
      return <SessionTable intent={intent.id} sessions={list.part.rows} now={now} />
    case 'commits':
      return <CommitTable commits={list.part.rows} now={now} />
    case 'files':
      return <FileTable intent={intent.id} files={list.part.rows} />
    case 'declarations':
      return <DeclarationTable entries={list.part.rows} />
    case 'history':
      return <HistoryList intent={intent.id} happenings={list.part.rows} now={now} />
    case 'writes':
      return (
        <ol class="records" aria-label="Writes">
          {list.part.rows.map(it => (
            <RecordItem record={it} now={now} />
          ))}
        </ol>
      )
  }
}
