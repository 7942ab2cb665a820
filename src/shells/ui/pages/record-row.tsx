import type { JSX } from 'preact'
import { escapeInvisible } from '../../../core/base/printable.ts'
import { links } from './links.ts'
import { AuthorBadge, type AuthorName, DataText, IntentLink, PathLink, When } from './parts.tsx'

/** A record as a page shows it. */
export type RecordFacts = {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly event: string
  /** Of a write: what happened to the file. */
  readonly op: string | null
  readonly path: string | null
  readonly added: number
  readonly removed: number
  readonly intent: string | null
  readonly session: string | null
  /** Null for an event that is not a write. */
  readonly author: AuthorName | null
  /** What the terminal says of it, without the time. */
  readonly detail: string
}

/** A record as the items of a list show it: in a page of records and in the live stream. */
export function RecordItem({ record, now }: { readonly record: RecordFacts; readonly now: number }): JSX.Element {
  return (
    <li class={`record event-${/^[a-z-]+$/.test(record.event) ? record.event : 'other'}`} data-record={record.id}>
      <When at={record.at} now={now} />
      <span class="kind">
        <DataText text={record.op ?? record.event} />
      </span>
      {(record.path !== null || record.detail !== '') && (
        <span class="subject">
          {record.path !== null && <PathLink path={record.path} />}{' '}
          {record.detail !== '' && <DataText text={record.detail} />}
        </span>
      )}
      {record.author && <Lines record={record} />}
      <span class="by">
        {record.intent !== null && <IntentLink id={record.intent} />}
        {record.author && <AuthorBadge author={record.author} />}
        {record.session !== null && <SessionLink id={record.session} />}
      </span>
    </li>
  )
}

function Lines({ record: { added, removed } }: { readonly record: RecordFacts }): JSX.Element {
  return (
    <span class="lines" aria-label={`${added} lines added, ${removed} removed`}>
      <span class="added">+{added}</span> <span class="removed">−{removed}</span>
    </span>
  )
}

/** The beginning of a session's id, as a link to its records. */
export function SessionLink({ id }: { readonly id: string }): JSX.Element {
  return (
    <a class="session" href={links.records({ session: id })} title={`Records of session ${escapeInvisible(id)}`}>
      <DataText text={id.slice(0, 8)} />
    </a>
  )
}
