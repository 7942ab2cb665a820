import type { JSX } from 'preact'
import { FailureText } from './failure-text.tsx'
import { IntentPlaces } from './frame-context.ts'
import { links } from './links.ts'
import { PageTitle } from './layout.tsx'
import type { IntentNow, NowFacts, SessionNow } from './now-facts.ts'
import { RunsNow, WaitingNow } from './now-waiting.tsx'
import { TreeTiles } from './now-tree.tsx'
import { DataText, Empty, IntentLink, Section, Table, When } from './parts.tsx'
import { RecordItem, SessionLink } from './record-row.tsx'

/** The page of what happens now. */
export function NowPage(facts: NowFacts): JSX.Element {
  return (
    <>
      <PageTitle title="Now" />
      {facts.problems.map(it => (
        <FailureText of={it} />
      ))}
      <TreeTiles facts={facts} />
      <div class="columns">
        <div>
          <WaitingNow facts={facts} />
          <Section title="Intents in progress" isLive>
            <IntentTable facts={facts} />
          </Section>
          <RunsNow facts={facts} />
        </div>
        <LatestRecords facts={facts} />
      </div>
    </>
  )
}

function IntentTable({ facts }: { readonly facts: NowFacts }): JSX.Element {
  return (
    <Table
      caption="Intents in progress"
      columns={['Intent', 'Name', 'Held by']}
      rows={facts.intents.map(it => [
        <IntentLink id={it.id} />,
        <DataText text={it.name} />,
        <Holders intent={it} now={facts.now} />,
      ])}
      empty="No intent is in progress."
    />
  )
}

function Holders({ intent, now }: { readonly intent: IntentNow; readonly now: number }): JSX.Element {
  if (intent.sessions.length + intent.elsewhere.length === 0) return <span class="quiet">nobody</span>
  return (
    <ul class="plain">
      {intent.sessions.map(it => (
        <Holder session={it} now={now} />
      ))}
      {intent.elsewhere.map(it => (
        <li>
          <DataText text={it} />
        </li>
      ))}
    </ul>
  )
}

function Holder({ session, now }: { readonly session: SessionNow; readonly now: number }): JSX.Element {
  const { id, agent, model, since, seen } = session
  return (
    <li>
      <DataText text={agent ?? 'a person'} /> {model !== null && <DataText text={model} />} <SessionLink id={id} />{' '}
      <span class="quiet">
        since <When at={since} now={now} />, seen <When at={seen} now={now} />
      </span>
    </li>
  )
}

function LatestRecords({ facts }: { readonly facts: NowFacts }): JSX.Element {
  return (
    <Section title="Latest records" beside={<a href={links.records()}>all records</a>}>
      {facts.latest.length === 0 && <Empty text="The ledger has no record yet." />}
      <IntentPlaces.Consumer>
        {(places: ReadonlyMap<string, number>) => (
          <ol
            class="records"
            id="live"
            data-offset={facts.offset}
            data-intents={JSON.stringify([...places.keys()])}
            aria-label="Latest records, newest first"
          >
            {facts.latest.map(it => (
              <RecordItem record={it} now={facts.now} />
            ))}
          </ol>
        )}
      </IntentPlaces.Consumer>
    </Section>
  )
}
