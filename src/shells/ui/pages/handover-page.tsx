import type { JSX } from 'preact'
import { handoverProblemLine } from '../../../core/handover/problem-lines.ts'
import type { HandoverFacts } from './handover-facts.ts'
import { HandoverHistory, HandoverQuestions } from './handover-history.tsx'
import { HandoverTasks } from './handover-tasks.tsx'
import { StateBadge } from './handovers-page.tsx'
import { PageTitle } from './layout.tsx'
import { DataText, Section, Table } from './parts.tsx'

/** The page of a session of the handover: where it is, what it waits for, and what happened in it. */
export function HandoverPage(facts: HandoverFacts): JSX.Element {
  const { status } = facts
  return (
    <>
      <PageTitle title={`Handover`}>
        <code>
          <DataText text={status.session} />
        </code>
      </PageTitle>
      <p class="totals">
        {status.state === null ? 'The state is unknown' : <StateBadge state={status.state} />} in the mode {status.mode}
        {status.blocker && (
          <>
            , blocked: <DataText text={status.blocker} />
          </>
        )}
        {status.design === 'void' && '; the design was approved, and changed since'}
        {status.correction !== 'none' && `; corrections of the design are ${status.correction}`}
      </p>
      <Ways facts={facts} />
      <HandoverTasks tasks={status.tasks} />
      <HandoverQuestions decisions={facts.decisions} now={facts.now} session={status.session} />
      <Retries facts={facts} />
      <Missing facts={facts} />
      <Problems facts={facts} />
      <Texts title="Known issues" texts={facts.knownIssues} />
      <Texts title="Assumptions" texts={facts.assumptions} />
      <HandoverHistory history={facts.history} older={facts.older} now={facts.now} />
    </>
  )
}

type OwnProps = { readonly facts: HandoverFacts }

function Ways({ facts: { ways, status } }: OwnProps): JSX.Element {
  return (
    <Section title="Ways on">
      <Table
        caption="States that may follow"
        columns={['To', 'Needs']}
        rows={ways.map(({ to, needs }) => [<StateBadge state={to} />, needs ?? 'nothing more'])}
        empty={status.state === 'DONE' ? 'The session is done.' : 'No state follows.'}
      />
    </Section>
  )
}

function Retries({ facts: { status } }: OwnProps): JSX.Element {
  const rows = Object.entries(status.retries).flatMap(([task, counts]) =>
    Object.entries(counts).map(([loop, count]) => [<DataText text={task} />, loop, String(count)]),
  )
  return (
    <Section title="Retries">
      <Table
        caption="Table of retries"
        columns={['Task', 'Loop', '#Retries']}
        rows={rows}
        empty="Nothing was retried."
      />
    </Section>
  )
}

function Missing({ facts: { status } }: OwnProps): JSX.Element {
  return (
    <Section title="What is missing">
      <Table
        caption="What is missing until the session is done"
        columns={['File', 'Place', 'Expected', 'Found']}
        rows={[
          ...status.missing.map(it => [
            it.file,
            <DataText text={it.pointer ?? ''} />,
            it.expected,
            <DataText text={it.found} />,
          ]),
        ]}
        empty="Nothing is missing."
      />
      {status.stale.map(({ artifact, changed }) => (
        <p class="notice">
          <DataText text={artifact} /> is of an earlier version of <DataText text={changed.join(', ')} />
        </p>
      ))}
    </Section>
  )
}

function Problems({ facts: { status } }: OwnProps): JSX.Element {
  return (
    <Section title="Problems">
      <Table
        caption="What the contract of the handover does not allow"
        columns={['Rule', 'Problem']}
        rows={status.problems.map(it => [it.rule, <DataText text={handoverProblemLine(it)} />])}
        empty="The session obeys its contract."
      />
    </Section>
  )
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null
  return (
    <Section title={title}>
      <ul>
        {texts.map(it => (
          <li>
            <DataText text={it} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
