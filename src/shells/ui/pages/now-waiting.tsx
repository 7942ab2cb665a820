import type { JSX } from 'preact'
import { showRunCommand, stopReason, type StoppedRun, wayAfterStop } from '../../../core/report/stopped-run.ts'
import { Command } from './command-text.tsx'
import { LiveOnly } from './layout.tsx'
import { links } from './links.ts'
import type { NowFacts, RequestNow, RunNow } from './now-facts.ts'
import { DataText, IntentLink, Section, Table, When } from './parts.tsx'
import { SessionLink } from './record-row.tsx'

/** What waits for a person: agents that were stopped, requests of agents, and questions of handovers. */
export function WaitingNow({ facts }: { readonly facts: NowFacts }): JSX.Element {
  const { stopped, requests, decisions, now } = facts
  const columns = ['Who', 'What', 'Since']
  const rows = [
    ...stopped.map(it => [
      <Asker agent={it.agent ?? 'an agent'} session={it.session} intent={it.intent} />,
      <Stop run={it} />,
      <When at={it.at} now={now} />,
    ]),
    ...requests.map(it => [
      <Asker agent={it.agent} session={it.session} intent={it.intent} />,
      <Wants request={it} />,
      <When at={it.at} now={now} />,
    ]),
    ...decisions.map(it => [
      <a href={links.handover(it.handover)}>
        <DataText text={it.handover} />
      </a>,
      <>
        <DataText text={`${it.id}: ${it.question}`} />
        <Command text={it.command} />
      </>,
      <When at={it.at} now={now} />,
    ]),
  ]
  return (
    <Section title="Waiting for a person" isLive>
      <Table caption="Waiting for a person" columns={columns} rows={rows} empty="Nothing waits for you." />
    </Section>
  )
}

type AskerProps = Pick<RequestNow, 'agent' | 'session' | 'intent'>

function Asker({ agent, session, intent }: AskerProps): JSX.Element {
  return (
    <>
      <DataText text={agent} /> <SessionLink id={session} /> <IntentLink id={intent} />
    </>
  )
}

function Stop({ run }: { readonly run: StoppedRun }): JSX.Element {
  return (
    <>
      <span class="badge is-bad">stopped</span> <DataText text={stopReason(run)} />
      <div class="quiet">{wayAfterStop(run)}.</div>
      <Command text={showRunCommand(run)} />
    </>
  )
}

// An exported page is for others: the words of an agent are not.
function Wants({ request: { kind, wants, reason, command } }: { readonly request: RequestNow }): JSX.Element {
  return (
    <>
      {kind === 'scope' ? 'more scope: ' : 'an approval'}
      {kind === 'scope' && <Globs globs={wants} />}
      <LiveOnly>
        <div class="quiet">
          {kind === 'approval' && <Globs globs={wants} />} <DataText text={reason} />
        </div>
      </LiveOnly>
      <Command text={command} />
    </>
  )
}

function Globs({ globs }: { readonly globs: readonly string[] }): JSX.Element {
  return (
    <>
      {globs.map((it, n) => (
        <>
          {n > 0 && ', '}
          <code>
            <DataText text={it} />
          </code>
        </>
      ))}
    </>
  )
}

/** The runs of agents' sessions, with their counters and checks. */
export function RunsNow({ facts }: { readonly facts: NowFacts }): JSX.Element {
  return (
    <Section title="Runs" isLive>
      <Table
        caption="Runs"
        columns={['Session', 'Intent', 'Status', 'Since', 'Counters', 'Checks']}
        rows={facts.runs.map(it => [
          <SessionLink id={it.session} />,
          <IntentLink id={it.intent} />,
          <RunStatus run={it} />,
          it.since === null ? '' : <When at={it.since} now={facts.now} />,
          <Pairs pairs={it.counters} />,
          <Pairs pairs={it.checks.map(of => [of.id, of.result] as const)} />,
        ])}
        empty="No agent has a run in this worktree."
      />
    </Section>
  )
}

function RunStatus({ run: { status, why } }: { readonly run: RunNow }): JSX.Element {
  return (
    <span class={status.startsWith('aborted') ? 'badge is-bad' : 'badge'} title={why ?? undefined}>
      <DataText text={status.replaceAll('_', ' ')} />
    </span>
  )
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, string | number])[] }): JSX.Element {
  return (
    <ul class="plain">
      {pairs.map(([name, value]) => (
        <li>
          <DataText text={name} />: <DataText text={String(value)} />
        </li>
      ))}
    </ul>
  )
}
