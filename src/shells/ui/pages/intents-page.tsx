import type { JSX } from 'preact'
import { escapeInvisible } from '../../../core/base/printable.ts'
import type { IntentRow, IntentSession, IntentsFacts } from './intent-facts.ts'
import { INTENTS_SHOWN } from './intent-lists.ts'
import { HolderText } from './intent-sessions.tsx'
import { PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { Pager } from './pager.tsx'
import { Count, DataText, IntentLink, Table, When } from './parts.tsx'
import { SlowNotice } from './slow-notice.tsx'

/** The page of all intents. */
export function IntentsPage(facts: IntentsFacts): JSX.Element {
  const { now, rows, only, from, listed } = facts
  const here = links.intents({ status: only ?? undefined, from: from === 0 ? undefined : from })
  return (
    <div data-awaits data-live="intents">
      <PageTitle title="Intents" />
      <StatusFilter facts={facts} />
      <p class="totals unseen" id="total">
        {listed} {listed === 1 ? 'intent' : 'intents'}
      </p>
      <SlowNotice what="The lines of the intents" facts={facts.lines} here={here} />
      <Table
        caption="Intents"
        columns={['Intent', 'Name', 'Status', 'Held by', 'Scope', '#Lines alive', '#Records', 'Last write']}
        rows={rows.map(it => intentCells(it, now))}
        empty={
          only === null ? 'There is no intent yet. Add one with `kotef intent add`.' : 'No intent has this status.'
        }
      />
      <Pager
        total={listed}
        from={from}
        shown={rows.length}
        pageLength={INTENTS_SHOWN}
        hrefOf={first => links.intents({ status: only ?? undefined, from: first })}
      />
    </div>
  )
}

// Each number is that of the rows behind it.
function StatusFilter({ facts: { total, statuses, only } }: { readonly facts: IntentsFacts }): JSX.Element {
  const choices = [{ status: null, count: total }, ...statuses]
  return (
    <nav class="choice" aria-label="Intents by status">
      {choices.map(({ status, count }) => (
        <a href={links.intents({ status: status ?? undefined })} aria-current={status === only ? 'true' : undefined}>
          {status === null ? 'all' : statusWords(status)} {count}
        </a>
      ))}
    </nav>
  )
}

function intentCells({ intent, holders, records, lastWrite, lines }: IntentRow, now: number) {
  const { id, name, status, standing, owned_scope: scope } = intent
  return [
    <IntentLink id={id} />,
    <DataText text={name} />,
    <StatusBadge status={status} isStanding={standing === true} />,
    <Holders id={id} holders={holders} />,
    <ScopeText globs={scope} />,
    lines === null ? (
      <span class="quiet">counting</span>
    ) : (
      <Count n={lines.alive} href={aliveHref(id)} of={`lines of ${id} in HEAD`} />
    ),
    <Count n={records} href={links.records({ intent: id })} of={`records of ${id}`} />,
    lastWrite === null ? <span class="quiet">never</span> : <When at={lastWrite} now={now} />,
  ]
}

/** The address of the lines of an intent that HEAD still has. The policy's files belong to no intent. */
export function aliveHref(intent: string): string {
  return links.lines({ intent, alive: 'yes', policy: 'no' })
}

function Holders({ id, holders }: { readonly id: string; readonly holders: readonly IntentSession[] }): JSX.Element {
  if (holders.length === 0) return <span class="quiet">nobody</span>
  const [first] = holders
  return (
    <>
      <Count
        n={holders.length}
        href={links.intentList(id, 'sessions', { kind: 'live' })}
        of={`live sessions of ${id}`}
      />{' '}
      {first && <HolderText session={first} />}
      {holders.length > 1 && ' and others'}
    </>
  )
}

function statusWords(status: string): string {
  return escapeInvisible(status.toLowerCase().replace('_', ' '))
}

/** The status of an intent; its text says it, whatever the colour. */
export function StatusBadge({ status, isStanding }: { readonly status: string; readonly isStanding: boolean }) {
  return (
    <span class={`badge status-${/^[A-Z_]+$/.test(status) ? status.toLowerCase().replace('_', '-') : 'other'}`}>
      {status === 'PENDING' && isStanding ? 'standing' : statusWords(status)}
    </span>
  )
}

function ScopeText({ globs }: { readonly globs: readonly string[] }): JSX.Element {
  const shown = globs.slice(0, GLOBS_SHOWN)
  return (
    <span class="scope">
      {shown.map(it => (
        <code>
          <DataText text={it} />
        </code>
      ))}
      {globs.length > shown.length && <span title={globs.join('\n')}>and more</span>}
    </span>
  )
}

const GLOBS_SHOWN = 3
