import type { JSX } from 'preact'
import { PageTitle } from './layout.tsx'
import { links } from './links.ts'
import type { ChangeNow } from './now-facts.ts'
import { groupedDigits, IntentLink, PathLink, Section, Table } from './parts.tsx'

/** The changed files of a worktree, or those in one state. */
export type ChangesFacts = {
  readonly state: 'outside' | 'untraced' | null
  readonly changes: readonly ChangeNow[]
  /** The first of them that the page shows, from 0. */
  readonly from: number
}

// How many files a page has.
const CHANGES_A_PAGE = 500

const TITLES = { outside: 'Changed files out of scope', untraced: 'Changed files without a record' } as const

/** The page of the files that differ from HEAD. */
export function ChangesPage({ state, changes, from }: ChangesFacts): JSX.Element {
  const title = state === null ? 'Changed files' : TITLES[state]
  const to = Math.min(changes.length, from + CHANGES_A_PAGE)
  const pageAt = (at: number) => links.changes({ ...(state && { state }), ...(at > 0 && { from: at }) })
  return (
    <>
      <PageTitle title={title}>
        <span class="quiet">
          {changes.length === 0 ? 'none' : `${groupedDigits(from + 1)}–${groupedDigits(to)} of`}{' '}
          {groupedDigits(changes.length)}
        </span>
      </PageTitle>
      <Section title="Files" isLive>
        <Table
          caption={title}
          columns={['File', 'State', 'Owned by', 'Remarks']}
          rows={changes
            .slice(from, to)
            .map(it => [
              <PathLink path={it.path} />,
              KIND_WORDS[it.kind],
              <Owners ids={it.owners} />,
              <Remarks change={it} />,
            ])}
          empty="No file differs from HEAD in this way."
        />
      </Section>
      <nav class="pager" aria-label="Pages of this list">
        {from > 0 && <a href={pageAt(Math.max(0, from - CHANGES_A_PAGE))}>Previous</a>}
        {to < changes.length && <a href={pageAt(to)}>Next</a>}
      </nav>
    </>
  )
}

const KIND_WORDS = { untracked: 'new', dirty: 'changed', staged: 'staged', clean: 'as at HEAD' } as const

function Owners({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  if (ids.length === 0) return <span class="quiet">no open intent</span>
  return (
    <>
      {ids.map(it => (
        <>
          <IntentLink id={it} />{' '}
        </>
      ))}
    </>
  )
}

function Remarks({ change: { isOutside, isUntraced } }: { readonly change: ChangeNow }): JSX.Element {
  return (
    <>
      {isOutside && <span class="badge is-bad">out of scope</span>}{' '}
      {isUntraced && <span class="badge is-bad">no record</span>}
    </>
  )
}
