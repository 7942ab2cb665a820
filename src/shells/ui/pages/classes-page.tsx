import type { JSX } from 'preact'
import { PageTitle } from './layout.tsx'
import { type ClassQuery, links } from './links.ts'
import { CommitLink } from './lines-page.tsx'
import { DataText, groupedDigits, PathLink, Table, When } from './parts.tsx'
import { Pager } from './pager.tsx'
import type { SlowFacts } from './slow-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

/** A commit's change of a file, with its class. */
export type ClassifiedChange = {
  readonly commit: string
  readonly at: number
  readonly path: string
  readonly class: string
  readonly evidence: string
}

/** A page of the list of classified changes, newest first. */
export type ClassesFacts = {
  readonly now: number
  readonly query: ClassQuery
  readonly total: number
  readonly changes: readonly ClassifiedChange[]
  readonly pageLength: number
  readonly reading: Omit<SlowFacts<unknown>, 'value'>
}

/** The list of classified changes behind a number. */
export function ClassesPage({ now, query, total, changes, pageLength, reading }: ClassesFacts): JSX.Element {
  return (
    <div data-awaits>
      <PageTitle title="Classes of changes" />
      <p class="totals" id="total">
        {groupedDigits(total)} {total === 1 ? 'change' : 'changes'}
      </p>
      <SlowNotice what="The changes" facts={{ ...reading, isKnown: reading.isCurrent }} here={links.classes(query)} />
      <Table
        caption="Changes of files"
        columns={['File', 'Class', 'Evidence', 'Commit', 'When']}
        rows={changes.map(it => [
          <PathLink path={it.path} />,
          it.class,
          <DataText text={it.evidence} />,
          <CommitLink oid={it.commit} />,
          <When at={new Date(it.at).toISOString()} now={now} />,
        ])}
        empty="No change is in this list."
      />
      <Pager
        total={total}
        pageLength={pageLength}
        from={query.from ?? 0}
        shown={changes.length}
        hrefOf={from => links.classes({ ...query, from })}
      />
    </div>
  )
}
