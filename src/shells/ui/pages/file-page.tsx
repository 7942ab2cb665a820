import { intentName } from '../../../core/authorship/line-intent.ts'
import type { JSX } from 'preact'
import { printable } from '../../../core/base/printable.ts'
import { AbsentNotice } from './absent-file.tsx'
import type { FilePageFacts, FileText, LineGroup } from './file-facts.ts'
import { BlameTable, toneOf } from './file-lines.tsx'
import { FILE_LINES_SHOWN, UNCOMMITTED_GROUP } from './file-view.ts'
import { IntentPlaces } from './frame-context.ts'
import { PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { Pager } from './pager.tsx'
import { AuthorBadge, Count, DataText, Empty, groupedDigits, IntentNames, Section, Table } from './parts.tsx'

/** The page of a file: its lines as they are on disk, each with the intent and the author that it has. */
export function FilePage(facts: FilePageFacts): JSX.Element {
  const { path, content } = facts
  return (
    <div data-live="file">
      <PageTitle title={printable(path)} />
      <p class="facts">
        {content.kind === 'text' && <Revision facts={facts} text={content} />}
        <Count n={facts.records} href={links.records({ file: path })} of="records of this file" /> records
      </p>
      {content.kind === 'text' ? (
        <FileBody facts={facts} text={content} />
      ) : (
        <AbsentNotice file={content} now={facts.now} />
      )}
    </div>
  )
}

type TextProps = { readonly facts: FilePageFacts; readonly text: FileText }

// The lines are those of `kotef blame`: of HEAD, and on top of it what is not committed.
function Revision({ facts: { path, by }, text: { head, view } }: TextProps): JSX.Element {
  const uncommitted = links.file(path, { by, only: UNCOMMITTED_GROUP })
  return (
    <>
      <Count n={view.total} href={links.file(path, { by })} of="lines" /> lines, as on disk:{' '}
      {head === null ? 'nothing is committed' : <a href={links.commit(head)}>HEAD {head.slice(0, 10)}</a>} and{' '}
      <Count n={view.uncommitted} href={uncommitted} of="uncommitted lines" /> uncommitted ·{' '}
    </>
  )
}

function FileBody({ facts, text }: TextProps): JSX.Element {
  const { view } = text
  const shown = view.blocks
  if (view.total === 0) return <Empty text="The file is empty." />
  return (
    <>
      <Section title={facts.by === 'intent' ? 'Lines by intent' : 'Lines by author'} beside={<Colours facts={facts} />}>
        <Legend facts={facts} text={text} />
      </Section>
      <Section title="Lines" beside={view.only && <OnlyGroup facts={facts} group={view.only} />}>
        <p class="totals" id="total">
          {groupedDigits(view.only?.lines ?? view.total)} {(view.only?.lines ?? view.total) === 1 ? 'line' : 'lines'}
        </p>
        {shown.length === 0 ? (
          <Empty text="No line is in this group." />
        ) : (
          <BlameTable text={text} by={facts.by} path={facts.path} />
        )}
        <LinePages facts={facts} text={text} />
      </Section>
    </>
  )
}

function Colours({ facts: { path, by } }: Pick<TextProps, 'facts'>): JSX.Element {
  return (
    <nav class="choice" aria-label="Colour the lines by">
      {(['intent', 'author'] as const).map(it => (
        <a href={links.file(path, { by: it })} aria-current={it === by ? 'true' : undefined}>
          by {it}
        </a>
      ))}
    </nav>
  )
}

function Legend({ facts: { path, by }, text: { view, names } }: TextProps): JSX.Element {
  return (
    <Table
      caption={`Lines of each ${by}`}
      columns={[by === 'intent' ? 'Intent' : 'Author', '#Lines', 'Share']}
      rows={view.groups.map(it => [
        <IntentPlaces.Consumer>
          {(places: ReadonlyMap<string, number>) => (
            <span class={`swatch ${toneOf(it.sample, by, places)}`}>
              <GroupName group={it} />{' '}
              {by === 'intent' && <DataText text={names.get(it.sample.author.intent ?? '') ?? ''} />}
            </span>
          )}
        </IntentPlaces.Consumer>,
        <Count n={it.lines} href={links.file(path, { by, only: it.key })} of="lines" />,
        <meter min={0} max={view.total} value={it.lines} aria-label="Share of the lines" />,
      ])}
      empty="No line."
    />
  )
}

function GroupName({ group: { key, sample } }: { readonly group: LineGroup }): JSX.Element {
  const { intent, contributor, doubt } = sample.author
  if (key.startsWith('intent:')) return <IntentNames name={intentName({ intent, either: sample.either })} />
  const { type, model_id: model = null } = contributor
  return <AuthorBadge author={{ kind: type, model, isDoubtful: doubt !== undefined }} />
}

type OnlyProps = Pick<TextProps, 'facts'> & { readonly group: Pick<LineGroup, 'key'> }

// A number that is nothing leads to a list without lines, so that none can say what the group is.
function OnlyGroup({ facts: { path, by }, group: { key } }: OnlyProps): JSX.Element {
  return (
    <span class="filter">
      only <DataText text={key.replace(/:$/, ': none').replace(/^(intent|author):/, '$1 ')} />{' '}
      <a href={links.file(path, { by })}>Show all lines</a>
    </span>
  )
}

function LinePages({ facts: { path, by }, text: { view } }: TextProps): JSX.Element {
  const shown = view.blocks.reduce((sum, it) => sum + it.lines.length, 0)
  const only = view.only?.key
  return (
    <Pager
      total={view.only?.lines ?? view.total}
      from={view.from}
      shown={shown}
      pageLength={FILE_LINES_SHOWN}
      hrefOf={from => links.file(path, { by, only, from })}
    />
  )
}
