import type { JSX } from 'preact'
import { links } from './links.ts'
import { PageTitle } from './layout.tsx'
import { Count, DataText, Empty, IntentLink, Section, Table, When } from './parts.tsx'
import type { RecordFacts } from './record-facts.ts'
import { RecordItem, SessionLink } from './record-row.tsx'

/** What happens in a worktree now. */
export type NowFacts = {
  readonly now: number
  readonly intents: readonly IntentNow[]
  readonly latest: readonly RecordFacts[]
  /** How many records the ledger has. */
  readonly records: number
}

/** An intent that is in progress, and the sessions that hold it. */
export type IntentNow = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly sessions: readonly SessionNow[]
}

/** A live session. */
export type SessionNow = {
  readonly id: string
  readonly agent: string | null
  readonly model: string | null
  readonly since: string
}

/** The page of what happens now. */
export function NowPage(facts: NowFacts): JSX.Element {
  return (
    <>
      <PageTitle title="Now" />
      <Section title="Intents in progress">
        <Table
          caption="Intents in progress"
          columns={['Intent', 'Name', 'Status', 'Sessions']}
          rows={facts.intents.map(it => [
            <IntentLink id={it.id} />,
            <DataText text={it.name} />,
            <DataText text={it.status} />,
            it.sessions.length === 0 ? 'none' : it.sessions.map(of => <Holder session={of} now={facts.now} />),
          ])}
          empty="No intent is in progress."
        />
      </Section>
      <Section title="Latest records" beside={<Count n={facts.records} href={links.records()} of="records" />}>
        {facts.latest.length === 0 && <Empty text="The ledger has no record yet." />}
        <ol class="records" id="live" aria-label="Latest records">
          {facts.latest.map(it => (
            <RecordItem record={it} now={facts.now} />
          ))}
        </ol>
      </Section>
    </>
  )
}

function Holder({ session, now }: { readonly session: SessionNow; readonly now: number }): JSX.Element {
  return (
    <span class="holder">
      <DataText text={session.agent ?? 'a person'} /> <SessionLink id={session.id} /> since{' '}
      <When at={session.since} now={now} />
    </span>
  )
}
