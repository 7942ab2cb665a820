import type { ComponentChildren, JSX } from 'preact'
import { type LineQuery, links } from './links.ts'
import { Count, DataText, IntentNames, Island, Section, Table } from './parts.tsx'
import { periodFilter } from './periods.ts'
import { authorChart } from './stats-chart.ts'
import type { LineFacts, LineTally, StatsFilter } from './stats-facts.ts'

type StatsLinesProps = { readonly facts: LineFacts; readonly filter: StatsFilter }

/** The tables of lines. Recorded and unknown authors have columns of their own. */
export function StatsLines({ facts, filter }: StatsLinesProps): JSX.Element {
  const own: LineQuery = { since: filter.since ?? undefined, intent: filter.intent ?? undefined }
  return (
    <>
      <Totals facts={facts} filter={filter} own={own} />
      <Section title="Lines over time">
        {facts.periods.length > 1 && (
          <Island name="chart" facts={authorChart(facts.periods)}>
            <></>
          </Island>
        )}
        <TallyTable
          first="Period"
          rows={[...facts.periods]
            .reverse()
            .filter(hasLines)
            .map(it => ({
              title: <span class="nowrap">{it.period.label}</span>,
              tally: it,
              query: { ...own, ...periodFilter(own.since, it.period) },
            }))}
        />
      </Section>
      <Section title="Lines by intent">
        <TallyTable first="Intent" rows={facts.intents.map(it => intentRow(it, own))} />
      </Section>
      <Section title="Lines of agents by model">
        <TallyTable first="Model" kinds={[]} rows={facts.models.map(it => modelRow(it, own))} />
      </Section>
      <Section title="Lines by the author of the commit">
        <p class="hint">Git has one author for a commit. The lines may be an agent's.</p>
        <TallyTable first="Author in git" rows={facts.people.map(it => personRow(it, own))} />
      </Section>
      <Classes facts={facts} own={own} />
    </>
  )
}

function Classes({ facts, own }: { readonly facts: LineFacts; readonly own: LineQuery }): JSX.Element {
  return (
    <Section title="Classes of changes">
      <p class="hint">Changed files by the class that the notes of commits have.</p>
      <Table
        caption="Table of classes"
        columns={['Class', '#Changes of files']}
        rows={facts.classes.map(({ name, changes }) => [
          name,
          <Count
            n={changes}
            href={links.classes({ ...classesOf(own), class: name })}
            of={`changes of class ${name}`}
          />,
        ])}
        empty="No note has a class."
      />
    </Section>
  )
}

// The chart has a place for a period without lines, the table has none.
function hasLines({ lines }: LineTally): boolean {
  return lines > 0
}

function classesOf({ since, intent }: LineQuery) {
  return { since, intent }
}

function Totals({ facts, filter, own }: StatsLinesProps & { readonly own: LineQuery }): JSX.Element {
  const { total, commits, older, governance } = facts
  const of = { since: own.since, intent: own.intent }
  return (
    <Section title="Lines">
      <p class="totals">
        <Count n={total.lines} href={links.lines(own)} of="lines" /> lines added by{' '}
        <Count n={commits} href={links.ranges({ ...of, kind: 'counted' })} of="commits" /> commits
        {filter.intent === null && (
          <>
            ; not counted: <Count n={older} href={links.ranges({ ...of, kind: 'older' })} of="older commits" /> from
            before kotef was set up,{' '}
            <Count n={governance} href={links.ranges({ ...of, kind: 'governance' })} of="governance commits" /> of
            governance
          </>
        )}
      </p>
    </Section>
  )
}

type TallyRow = { readonly title: ComponentChildren; readonly tally: LineTally; readonly query: LineQuery }

function intentRow(tally: LineTally & { readonly name: string | null }, own: LineQuery): TallyRow {
  const { name } = tally
  return { title: <IntentNames name={name} />, tally, query: { ...own, intent: name ?? '' } }
}

function modelRow(tally: LineTally & { readonly name: string | null }, own: LineQuery): TallyRow {
  const title = tally.name === null ? 'not recorded' : <DataText text={tally.name} />
  return { title, tally, query: { ...own, author: 'ai', model: tally.name ?? '' } }
}

function personRow(tally: LineTally & { readonly name: string | null }, own: LineQuery): TallyRow {
  return { title: <DataText text={tally.name ?? ''} />, tally, query: { ...own, person: tally.name ?? '' } }
}

const KINDS = ['ai', 'human', 'mixed', 'unknown', 'kotef'] as const
const KIND_TITLES = {
  ai: '#Agent',
  human: '#Person',
  mixed: '#Both',
  unknown: '#Unknown author',
  kotef: '#kotef itself',
} as const

type TallyTableProps = {
  readonly first: string
  readonly rows: readonly TallyRow[]
  /** The kinds of authors that have a column. */
  readonly kinds?: readonly (typeof KINDS)[number][]
}

function TallyTable({ first, rows, kinds = KINDS }: TallyTableProps): JSX.Element {
  return (
    <Table
      caption={`Table of lines by ${first.toLowerCase()}`}
      columns={[first, '#Lines', ...kinds.map(it => KIND_TITLES[it]), '#Alive at HEAD', '#Share']}
      rows={rows.map(({ title, tally, query }) => [
        title,
        <Figure n={tally.lines} query={query} of="lines" />,
        ...kinds.map(author => (
          <Figure n={tally[author]} query={{ ...query, author }} of={`lines ${KIND_WORDS[author]}`} />
        )),
        <Alive tally={tally} query={query} />,
        shareText(tally),
      ])}
      empty="No line is counted."
    />
  )
}

const KIND_WORDS = {
  ai: 'by an agent',
  human: 'by a person',
  mixed: 'by both',
  unknown: 'of an unknown author',
  kotef: 'by kotef itself',
}

function Alive({ tally: { alive }, query }: { readonly tally: LineTally; readonly query: LineQuery }): JSX.Element {
  if (alive === null) return <span aria-label="not counted yet">…</span>
  return <Figure n={alive} query={{ ...query, alive: 'yes' }} of="lines that HEAD still has" />
}

type FigureProps = { readonly n: number; readonly query: LineQuery; readonly of: string }

/** A number of lines with its list. Most of a table are zeros: these must not look like something to read. */
function Figure({ n, query, of }: FigureProps): JSX.Element {
  return n === 0 ? <span class="quiet">0</span> : <Count n={n} href={links.lines(query)} of={of} />
}

function shareText({ alive, lines }: LineTally): string {
  return alive === null || lines === 0 ? '' : `${Math.floor((alive / lines) * 100)} %`
}
