import type { JSX } from 'preact'
import { PageTitle } from './layout.tsx'
import { type LineQuery, links } from './links.ts'
import { AuthorBadge, type AuthorName, DataText, groupedDigits, IntentNames, PathLink, Table, When } from './parts.tsx'
import { Pager } from './pager.tsx'
import { SlowNotice } from './slow-notice.tsx'
import type { SlowFacts } from './slow-facts.ts'

/** A line that a commit added. */
export type ListedLine = {
  readonly commit: string
  readonly at: number
  /** Its place in that commit. */
  readonly path: string
  readonly line: number
  /** Null for a line that is not text, or in a file that is too long to be read for it. */
  readonly text: string | null
  readonly intent: string | null
  readonly author: AuthorName
  readonly isNoted: boolean
  /** Its place in HEAD, in a list of lines that HEAD still has. */
  readonly now: { readonly path: string; readonly line: number } | null
}

/** A page of a list of lines. */
export type LinesFacts = {
  readonly now: number
  readonly query: LineQuery
  readonly total: number
  readonly lines: readonly ListedLine[]
  readonly pageLength: number
  readonly reading: Omit<SlowFacts<unknown>, 'value'>
}

/** The list of lines behind a number. */
export function LinesPage({ now, query, total, lines, pageLength, reading }: LinesFacts): JSX.Element {
  const pager = { total, from: query.from ?? 0, pageLength, shown: lines.length }
  return (
    <div data-awaits>
      <PageTitle title="Lines" />
      <LineFilter query={query} />
      <SlowNotice what="The lines" facts={{ ...reading, isKnown: reading.isCurrent }} here={links.lines(query)} />
      <p class="totals" id="total">
        {groupedDigits(total)} {total === 1 ? 'line' : 'lines'}
      </p>
      <Table
        caption="Lines"
        columns={['Place', 'Line', 'Intent', 'Author', 'Commit', 'When']}
        rows={lines.map(it => lineRow(it, now))}
        empty="No line is in this list."
      />
      <Pager {...pager} hrefOf={from => links.lines({ ...query, from })} />
    </div>
  )
}

function lineRow(it: ListedLine, now: number) {
  return [
    <Place line={it} />,
    <code class="text">{it.text === null ? '' : <DataText text={it.text} />}</code>,
    <IntentNames name={it.intent} />,
    <>
      <AuthorBadge author={it.author} />
      {!it.isNoted && <span class="hint"> no note</span>}
    </>,
    <CommitLink oid={it.commit} />,
    <When at={new Date(it.at).toISOString()} now={now} />,
  ]
}

function Place({ line: { path, line, now } }: { readonly line: ListedLine }): JSX.Element {
  const [shownPath, shownLine] = now ? [now.path, now.line] : [path, line]
  return (
    <>
      <PathLink path={shownPath} />:{shownLine}
    </>
  )
}

/** The beginning of a commit's id, as a link to its page. */
export function CommitLink({ oid }: { readonly oid: string }): JSX.Element {
  return (
    <a class="commit" href={links.commit(oid)}>
      <code>{oid.slice(0, 10)}</code>
    </a>
  )
}

/** What the list is filtered by, each with a link to the list without it. */
function LineFilter({ query }: { readonly query: LineQuery }): JSX.Element | null {
  const named = FILTER_WORDS.flatMap(([name, label]) => {
    const value = query[name]
    return value === undefined ? [] : [{ name, label, value: value === '' ? 'none' : value }]
  })
  if (named.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {named.map(({ name, label, value }) => (
        <li>
          {label} <DataText text={value} />{' '}
          <a
            href={links.lines({ ...query, from: undefined, [name]: undefined })}
            aria-label={`Remove the filter ${label}`}
          >
            ×
          </a>
        </li>
      ))}
    </ul>
  )
}

const FILTER_WORDS = [
  ['range', 'in the commits of'],
  ['intent', 'intent'],
  ['author', 'author'],
  ['model', 'model'],
  ['person', 'author in git'],
  ['since', 'since'],
  ['until', 'before'],
  ['file', 'in'],
  ['policy', 'files of the policy'],
  ['alive', 'still in HEAD'],
  ['note', 'with a note'],
] as const
