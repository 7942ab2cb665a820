import type { TraceRecord } from '../../../core/ledger/record.ts'
import { attributesOf, modelAttributes } from './attribute-names.ts'
import { eventOf, intentOf, modelOf, sessionOf } from './record-log.ts'
import type { SpanIds, TelemetrySpan } from './signals.ts'
import { sessionSpanIds } from './span-ids.ts'

/** A session that has begun and not ended, as far as its span needs it. */
export type OpenSession = {
  /** The id and the time of the record with which it began. */
  readonly record: string
  readonly at: number
  readonly intent: string | null
  readonly agent: string | null
  readonly model: string | null
  readonly writes: number
  readonly violations: number
}

/** The open sessions by their ids, in the order of their beginning. */
export type OpenSessions = Readonly<Record<string, OpenSession>>

/** What a record means for the sessions: those that are open after it, and the span of the one that it ends. */
export function followSessions(
  open: OpenSessions,
  record: TraceRecord,
): { readonly open: OpenSessions; readonly ended: TelemetrySpan | null } {
  const session = sessionOf(record)
  if (session === null) return { open, ended: null }
  const known = Object.hasOwn(open, session) ? open[session] : undefined
  const event = eventOf(record)['event']
  if (event === 'session-started') return { open: withSession(open, session, startedWith(record)), ended: null }
  if (!known) return { open, ended: null }
  if (event !== 'session-ended') return { open: { ...open, [session]: countedIn(known, record) }, ended: null }
  const { [session]: _, ...others } = open
  return { open: others, ended: sessionSpan(session, known, Date.parse(record.timestamp)) }
}

/** The span of an open session, to which its logs belong; null when its beginning was not seen. */
export function openSpan(open: OpenSessions, session: string | null): SpanIds | null {
  const known = session !== null && Object.hasOwn(open, session) ? open[session] : undefined
  return session !== null && known ? sessionSpanIds(session, known.record) : null
}

function startedWith(record: TraceRecord): OpenSession {
  const { agent } = eventOf(record)
  const at = Date.parse(record.timestamp)
  return {
    record: record.id,
    at: Number.isNaN(at) ? 0 : at,
    intent: intentOf(record),
    agent: typeof agent === 'string' ? agent : null,
    model: null,
    writes: 0,
    violations: 0,
  }
}

// A session may begin again, and one that never ends is forgotten when very many began after it.
function withSession(open: OpenSessions, session: string, started: OpenSession): OpenSessions {
  const { [session]: _, ...others } = open
  const kept = Object.entries(others).slice(-(OPEN_SESSIONS_MAX - 1))
  return Object.fromEntries([...kept, [session, started]])
}

const OPEN_SESSIONS_MAX = 500

function countedIn(known: OpenSession, record: TraceRecord): OpenSession {
  const event = eventOf(record)['event']
  const model = modelOf(record)
  return {
    ...known,
    model: typeof model === 'string' ? model : known.model,
    writes: known.writes + Number(event === 'write'),
    violations: known.violations + Number(event === 'violation'),
  }
}

function sessionSpan(session: string, known: OpenSession, end: number): TelemetrySpan {
  const { record, at, intent, agent, model, writes, violations } = known
  return {
    ...sessionSpanIds(session, record),
    parentId: null,
    name: 'kotef.session',
    start: at,
    end: Math.max(at, end || at),
    failure: null,
    attributes: attributesOf({ session, intent, agent, writes, violations, ...modelAttributes(model) }),
  }
}
