import type { TraceRecord } from '../ledger/record.ts'
import { parseSessionUrl } from '../ledger/session-url.ts'
import { recordLine } from '../report/record-line.ts'
import type { AuthorName } from './parts.tsx'

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

/** What a page shows of a record. Another program may have written the line, so nothing in it is taken for granted. */
export function recordFacts(record: TraceRecord): RecordFacts {
  const own = record.metadata['dev.kotef']
  const [file] = record.files
  const [conversation] = file?.conversations ?? []
  const { type, model_id } = conversation?.contributor ?? {}
  const isDoubtful = own.event === 'write' && own.doubt !== undefined
  return {
    ...{ id: record.id, at: record.timestamp, event: own.event, op: file?.kotef.op ?? null },
    path: file?.path ?? ('path' in own ? own.path : null),
    added: (conversation?.ranges ?? []).reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0),
    removed: (file?.kotef.removed ?? []).reduce((sum, it) => sum + it.lines, 0),
    intent: conversation?.related[0]?.value ?? ('intent' in own ? own.intent : null),
    session: 'session' in own ? own.session : sessionOf(conversation?.url),
    author: file ? { kind: type ?? 'unknown', model: model_id ?? null, isDoubtful } : null,
    detail: file ? '' : recordLine(record).replace(/^\S+\s+\S+\s*/, ''),
  }
}

function sessionOf(url: string | undefined): string | null {
  return url === undefined ? null : parseSessionUrl(url)
}
