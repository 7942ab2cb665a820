import type { JSX } from 'preact'
import { links } from './links.ts'
import { Count, DataText, PathLink, Section, Table } from './parts.tsx'
import { isoTime, momentOf, periodFilter } from './periods.ts'
import { SessionLink } from './record-row.tsx'
import type { CountedRefusal, StatsFilter, ViolationFacts } from './stats-facts.ts'

type StatsViolationsProps = {
  readonly facts: ViolationFacts
  readonly filter: StatsFilter
  readonly refused: readonly CountedRefusal[]
}

/** What broke a rule after it was written, what was refused before, and what agents asked for. */
export function StatsViolations({ facts, filter, refused }: StatsViolationsProps): JSX.Element {
  const own = { since: filter.since ?? undefined, intent: filter.intent ?? undefined }
  return (
    <>
      <Section title="Violations" beside={<Count n={facts.violations} href={links.violations(own)} of="violations" />}>
        <Table
          caption="Violations by rule"
          columns={['Rule', '#Violations']}
          rows={facts.rules.map(({ rule, count }) => [
            <DataText text={rule} />,
            <Count n={count} href={links.violations({ ...own, rule })} of="violations" />,
          ])}
          empty="The ledger has no violation."
        />
        {facts.periods.length > 0 && <ViolationPeriods facts={facts} own={own} />}
      </Section>
      <Section title="Requests of agents">
        <RequestCounts facts={facts} own={own} />
      </Section>
      <Section title="Before a selection">
        <p class="totals">
          <Count n={facts.refused} href={recordsOf('refused', own)} of="records of refused" />{' '}
          {facts.refused === 1 ? 'session of an agent' : 'sessions of agents'} had a call refused before selecting an
          intent.
        </p>
      </Section>
      <Section title="Refused writes">
        <p class="hint">
          A refused write changes nothing, so the ledger has no record of it. Of each session, kotef keeps the last
          writes that it refused until the session's work succeeds without them.
        </p>
        <Table
          caption="Table of refused writes"
          columns={['Session', 'Agent', 'Path', 'Reason']}
          rows={refused.map(it => [
            <SessionLink id={it.session} />,
            <DataText text={it.agent} />,
            <PathLink path={it.path} />,
            <DataText text={it.code} />,
          ])}
          empty="No session has a refused write."
        />
      </Section>
    </>
  )
}

type OwnFilter = { readonly since: string | undefined; readonly intent: string | undefined }
type PartProps = { readonly facts: ViolationFacts; readonly own: OwnFilter }

function ViolationPeriods({ facts, own }: PartProps): JSX.Element {
  return (
    <Table
      caption="Violations over time"
      columns={['Period', '#Violations']}
      rows={[...facts.periods].reverse().map(({ period, count }) => {
        const query = { ...own, ...periodFilter(own.since, period) }
        return [period.label, <Count n={count} href={links.violations(query)} of="violations" />]
      })}
      empty=""
    />
  )
}

function RequestCounts({ facts, own }: PartProps): JSX.Element {
  const kinds = ['requested', 'granted', 'rejected'] as const
  return (
    <Table
      caption="Table of requests"
      columns={['Event', '#Records']}
      rows={kinds.map(event => [
        event,
        <Count n={facts[event]} href={recordsOf(event, own)} of={`records of ${event}`} />,
      ])}
      empty=""
    />
  )
}

function recordsOf(event: string, { intent, since }: OwnFilter): string {
  const at = since === undefined ? null : momentOf(since)
  return links.records({ intent, since: at === null ? undefined : isoTime(at), event })
}
