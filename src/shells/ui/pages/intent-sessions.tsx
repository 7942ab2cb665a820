import type { JSX } from 'preact'
import type { TraceRecord } from '../../../core/ledger/record.ts'
import { parseSessionUrl } from '../../../core/ledger/session-url.ts'
import type { IntentSession } from './intent-facts.ts'
import { links } from './links.ts'
import { Count, DataText, Table, When } from './parts.tsx'
import { SessionLink } from './record-row.tsx'

/** The sessions of an intent, by some of its records and those that hold it now; the newest first. */
export function sessionsOf(records: readonly TraceRecord[], holders: readonly IntentSession[]): IntentSession[] {
  const sessions = new Map<string, IntentSession>()
  for (const it of records)
    for (const id of sessionIds(it)) {
      const before = sessions.get(id) ?? { ...UNKNOWN_SESSION, id }
      sessions.set(id, { ...before, ...startOrEnd(it, id), records: before.records + 1 })
    }
  for (const it of holders) sessions.set(it.id, { ...it, records: sessions.get(it.id)?.records ?? 0 })
  return [...sessions.values()].reverse().sort((one, other) => Number(other.isLive) - Number(one.isLive))
}

const UNKNOWN_SESSION = {
  agent: null,
  startedAt: null,
  endedAt: null,
  isLive: false,
  elsewhere: null,
  records: 0,
} as const

/** The sessions under which the ledger's catalogue has a record. */
function sessionIds({ files, metadata }: TraceRecord): string[] {
  const own = metadata['dev.kotef']
  const urls = files.flatMap(it => it.conversations.map(of => parseSessionUrl(textOrUndefined(of.url))))
  const ids = 'session' in own ? [own.session, ...urls] : urls
  return [...new Set(ids.filter(it => typeof it === 'string'))]
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function startOrEnd({ timestamp, metadata }: TraceRecord, id: string): Partial<IntentSession> {
  const own = metadata['dev.kotef']
  if (own.event === 'session-ended' && own.session === id) return { endedAt: timestamp }
  if (own.event !== 'session-started' || own.session !== id) return {}
  return { startedAt: timestamp, endedAt: null, agent: textOrUndefined(own.agent) ?? null }
}

/** The sessions of an intent in a table. */
export function SessionTable(props: {
  readonly intent: string
  readonly sessions: readonly IntentSession[]
  readonly now: number
}): JSX.Element {
  const { intent, sessions, now } = props
  return (
    <Table
      caption={`Sessions of ${intent}`}
      columns={['Session', 'Who', 'Started', 'Ended', '#Records']}
      rows={sessions.map(it => [
        <SessionLink id={it.id} />,
        <HolderText session={it} />,
        <Moment at={it.startedAt} now={now} />,
        it.isLive ? <span class="badge live">live</span> : <Moment at={it.endedAt} now={now} />,
        <Count n={it.records} href={links.records({ intent, session: it.id })} of="records of the session" />,
      ])}
      empty="No session has held the intent."
    />
  )
}

function Moment({ at, now }: { readonly at: string | null; readonly now: number }): JSX.Element {
  return at === null ? <span class="quiet">not recorded</span> : <When at={at} now={now} />
}

/** Who a session is of, and where it is unless here. */
export function HolderText({ session: { agent, elsewhere } }: { readonly session: IntentSession }): JSX.Element {
  return (
    <span class="holder">
      <DataText text={agent ?? 'a person'} />
      {elsewhere !== null && (
        <>
          {' '}
          in <DataText text={elsewhere} />
        </>
      )}
    </span>
  )
}
