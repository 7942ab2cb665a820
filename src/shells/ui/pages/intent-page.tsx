import type { JSX } from 'preact'
import { CheckSection, ContractSection } from './contract-section.tsx'
import { DaysChart, HistoryList, KIND_TITLES } from './history-list.tsx'
import type { IntentFacts } from './intent-facts.ts'
import { SessionTable } from './intent-sessions.tsx'
import { CommitTable, DeclarationTable, FileTable } from './intent-tables.tsx'
import { aliveHref, StatusBadge } from './intents-page.tsx'
import { PageTitle } from './layout.tsx'
import { type IntentListName, links } from './links.ts'
import { Count, DataText, groupedDigits, Section } from './parts.tsx'
import { SlowNotice } from './slow-notice.tsx'

type Props = { readonly facts: IntentFacts }

/** The page of an intent: what it is for, how far it is, and what happened. */
export function IntentPage(facts: IntentFacts): JSX.Element {
  const { intent, sessions, commits, history, now } = facts
  return (
    <div data-awaits>
      <PageTitle title={intent.id}>
        <span class="name">
          <DataText text={intent.name} />
        </span>
        <StatusBadge status={intent.status} isStanding={intent.standing === true} />
      </PageTitle>
      {intent.description !== '' && (
        <p class="description">
          <DataText text={intent.description} />
        </p>
      )}
      <ContractSection facts={facts} />
      <CheckSection facts={facts} />
      <Section isLive title="Sessions" beside={<All facts={facts} list="sessions" n={sessions.total} />}>
        <SessionTable intent={intent.id} sessions={sessions.rows} now={now} />
      </Section>
      <LinesSection facts={facts} />
      <DeclarationSection facts={facts} />
      <Section isLive title="Commits" beside={<All facts={facts} list="commits" n={commits.total} />}>
        <CommitTable commits={commits.rows} now={now} />
      </Section>
      <Section isLive title="History" beside={<All facts={facts} list="history" n={history.total} />}>
        <RecordsNote facts={facts} />
        <Kinds facts={facts} />
        <DaysChart intent={intent.id} days={facts.days} />
        <HistoryList intent={intent.id} happenings={history.rows} now={now} />
      </Section>
    </div>
  )
}

function All({ facts: { intent }, list, n }: Props & { readonly list: IntentListName; readonly n: number }) {
  return <Count n={n} href={links.intentList(intent.id, list)} of={`${list} of ${intent.id}`} />
}

function LinesSection({ facts }: Props): JSX.Element {
  const { intent, lines } = facts
  const { value } = lines
  const added = links.lines({ intent: intent.id, policy: 'no' })
  return (
    <Section isLive title="Lines" beside={value && <All facts={facts} list="files" n={value.files.total} />}>
      <SlowNotice
        what="The lines of the intent"
        facts={{ ...lines, isKnown: value !== null }}
        here={links.intent(intent.id)}
      />
      {value && (
        <>
          <p class="totals">
            <Count n={value.alive} href={aliveHref(intent.id)} of="lines in HEAD" /> of{' '}
            <Count n={value.added} href={added} of="added lines" /> added lines are alive in HEAD
          </p>
          <FileTable intent={intent.id} files={value.files.rows} />
        </>
      )}
    </Section>
  )
}

function DeclarationSection({ facts }: Props): JSX.Element {
  const { intent, declarations } = facts
  const { value } = declarations
  return (
    <Section isLive title="Declarations" beside={value && <All facts={facts} list="declarations" n={value.total} />}>
      <SlowNotice
        what="The declarations of HEAD"
        facts={{ ...declarations, isKnown: value !== null }}
        here={links.intent(intent.id)}
      />
      {value && <DeclarationTable entries={value.rows} />}
    </Section>
  )
}

// A history that is cut says so: the newest records are read, and the others are in the list of records.
function RecordsNote({ facts: { intent, records } }: Props): JSX.Element {
  const all = <Count n={records.all} href={links.records({ intent: intent.id })} of={`records of ${intent.id}`} />
  if (records.read >= records.all) return <p class="hint">Made of {all} records and the commits.</p>
  return (
    <p class="notice">
      Made of the newest {groupedDigits(records.read)} of {all} records, and of the commits.
    </p>
  )
}

function Kinds({ facts: { intent, kinds } }: Props): JSX.Element {
  return (
    <ul class="kinds">
      {kinds.map(({ kind, count }) => (
        <li>
          {KIND_TITLES[kind]}{' '}
          <Count n={count} href={links.intentList(intent.id, 'history', { kind })} of={KIND_TITLES[kind]} />
        </li>
      ))}
    </ul>
  )
}
