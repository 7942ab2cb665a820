import type { Conversation, TraceRecord } from '../../../core/ledger/record.ts'
import { parseSessionUrl } from '../../../core/ledger/session-url.ts'
import { recordLine } from '../../../core/report/record-line.ts'
import { printable } from '../../../core/base/printable.ts'
import type { AuthorName } from './parts.tsx'
import type { RecordFacts } from './record-row.tsx'

/** What a page shows of a record. Another program may have written the line, so nothing in it is taken for granted. */
export function recordFacts(record: TraceRecord): RecordFacts {
  const own = record.metadata['dev.kotef']
  const [file] = record.files
  const [conversation] = file?.conversations ?? []
  const path = file?.path ?? ('path' in own ? textOrNull(own.path) : null)
  const intent = textOrNull(conversation?.related?.[0]?.value) ?? ('intent' in own ? textOrNull(own.intent) : null)
  return {
    id: record.id,
    at: record.timestamp,
    event: own.event,
    op: file?.kotef.op ?? null,
    path,
    intent,
    added: (conversation?.ranges ?? []).reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0),
    removed: removedLines(file?.kotef.removed),
    session: 'session' in own ? textOrNull(own.session) : sessionOf(conversation?.url),
    author: file ? authorOf(conversation, own.event === 'write' && own.doubt !== undefined) : null,
    detail: file ? '' : detailBeside(record, [path, intent]),
  }
}

/** What the terminal says of an event, without the path and the intent, which the page shows as links. */
function detailBeside(record: TraceRecord, shown: readonly (string | null)[]): string {
  const detail = saysOf(record).replace(/^\S+\s+\S+\s*/, '')
  const first = shown.find(it => it !== null && (detail === it || detail.startsWith(`${printable(it)} `)))
  return first ? detail.slice(printable(first).length).trim() : detail
}

// Of an event that misses what its kind has, the kind is all there is to say.
function saysOf(record: TraceRecord): string {
  try {
    return recordLine(record)
  } catch {
    return ''
  }
}

function removedLines(removed: unknown): number {
  if (!Array.isArray(removed)) return 0
  return removed.reduce((sum: number, it: { lines?: unknown } | null) => sum + (Number(it?.lines) || 0), 0)
}

function authorOf(conversation: Partial<Conversation> | undefined, isDoubtful: boolean): AuthorName {
  const { type, model_id: model } = conversation?.contributor ?? {}
  const kind = type !== undefined && ['human', 'ai', 'mixed'].includes(type) ? type : 'unknown'
  return { kind, model: textOrNull(model), isDoubtful }
}

function sessionOf(url: unknown): string | null {
  return typeof url === 'string' ? parseSessionUrl(url) : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
