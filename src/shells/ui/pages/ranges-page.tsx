import type { JSX } from 'preact'
import { type FailureWords, FailureText } from './failure-text.tsx'
import { LiveOnly, PageTitle } from './layout.tsx'
import { CommitLink } from './lines-page.tsx'
import { type CommitQuery, links } from './links.ts'
import { DataText, groupedDigits, IntentLink, Table, When } from './parts.tsx'
import { Pager } from './pager.tsx'
import type { SlowFacts } from './slow-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

/** A commit of a list. */
export type ListedCommit = {
  readonly oid: string
  readonly subject: string
  readonly author: string
  /** ISO 8601. */
  readonly at: string
  readonly intents: readonly string[]
  readonly governance: string | null
}

/** A page of the list of commits, newest first. */
export type RangesFacts = {
  readonly now: number
  readonly query: CommitQuery
  /** A range that was asked for, and why there is none. */
  readonly asked?: { readonly range: string; readonly why: FailureWords }
  /** A range of what is not published or merged yet, if there is one. */
  readonly unpublished: string | null
  readonly total: number
  readonly commits: readonly ListedCommit[]
  readonly pageLength: number
  readonly reading: Omit<SlowFacts<unknown>, 'value'>
}

/** The list of the commits of HEAD, each of which has a page, and a field for a range. */
export function RangesPage({
  now,
  query,
  asked,
  unpublished,
  total,
  commits,
  pageLength,
  reading,
}: RangesFacts): JSX.Element {
  return (
    <div data-awaits>
      <PageTitle title="Commits" />
      {asked && <FailureText of={asked.why} />}
      <LiveOnly>
        <RangeForm range={asked?.range} />
      </LiveOnly>
      {unpublished !== null && (
        <p>
          Not merged yet: <a href={links.range(unpublished)}>{unpublished}</a>
        </p>
      )}
      <SlowNotice what="The commits" facts={{ ...reading, isKnown: reading.isCurrent }} here={links.ranges(query)} />
      <p class="totals" id="total">
        {groupedDigits(total)} {total === 1 ? 'commit' : 'commits'}
        {query.kind !== undefined && `, ${KIND_WORDS[query.kind]}`}
        {query.intent !== undefined && (
          <>
            , with lines for <DataText text={query.intent === '' ? 'no intent' : query.intent} />
          </>
        )}
        {query.since !== undefined && `, since ${query.since}`}
      </p>
      <Table
        caption="Commits"
        columns={['Commit', 'Subject', 'Intents', 'Author in git', 'When']}
        rows={commits.map(it => commitRow(it, now))}
        empty="There is no commit in this list."
      />
      <Pager
        total={total}
        pageLength={pageLength}
        from={query.from ?? 0}
        shown={commits.length}
        hrefOf={from => links.ranges({ ...query, from })}
      />
    </div>
  )
}

const KIND_WORDS = {
  counted: 'whose lines are counted',
  older: 'from before kotef was set up',
  governance: 'of governance',
} as const

function commitRow({ oid, subject, author, at, intents, governance }: ListedCommit, now: number) {
  const why = governance === null ? 'no intent' : 'governance'
  return [
    <CommitLink oid={oid} />,
    <DataText text={subject} />,
    intents.length === 0 ? why : intents.map(it => <IntentLink id={it} />),
    <DataText text={author} />,
    <When at={at} now={now} />,
  ]
}

function RangeForm({ range }: { readonly range?: string | undefined }): JSX.Element {
  return (
    <form class="filters" method="get" action={links.ranges()} aria-label="Show a range of commits">
      <label>
        Range <input name="range" value={range} placeholder="main..HEAD" spellcheck={false} required />
      </label>
      <button type="submit">Show</button>
    </form>
  )
}
