import type { TracedFile, TraceRecord } from '../../../core/ledger/record.ts'
import { parseSessionUrl } from '../../../core/ledger/session-url.ts'
import { objectOrNull, type Payload } from '../../../core/base/payload.ts'
import { attributesOf, type AttributeValues, modelAttributes, telemetryText } from './attribute-names.ts'
import type { SpanIds, TelemetryLog } from './signals.ts'

/** What the log of a record depends on besides the record. */
export type LogTerms = {
  /** False when no path may leave this machine. */
  readonly paths: boolean
  /** The span of the session in which it was written; null when that is not known. */
  readonly span: SpanIds | null
}

/**
 * A record as a log. It has what is named here and nothing else: no hash of a line or a file, and no text that a
 * person, an agent or a command wrote.
 */
export function recordLog(record: TraceRecord, { paths, span }: LogTerms): TelemetryLog {
  const own = eventOf(record)
  const event = String(own['event'])
  const at = Date.parse(record.timestamp)
  // Spreading objects into one of thirty keys would take ten times as long as all the rest.
  const attributes = attributesOf(
    { uid: record.id, event, revision: record.vcs?.revision },
    eventAttributes(own),
    modelAttributes(own['model']),
    ...writtenAttributes(record),
    paths ? pathAttributes(record) : {},
  )
  return {
    uid: record.id,
    event: `kotef.${event}`,
    at: Number.isNaN(at) ? null : at,
    severity: severityOf(event),
    body: bodyOf(record, paths),
    attributes,
    span,
  }
}

/** The data of a record's event. Another program may have written it. */
export function eventOf(record: TraceRecord): Payload {
  return record.metadata['dev.kotef'] as unknown as Payload
}

/** The session that a record is of; null without one. */
export function sessionOf(record: TraceRecord): string | null {
  const own = eventOf(record)['session']
  if (typeof own === 'string') return own
  const url = record.files[0]?.conversations[0]?.url
  return typeof url === 'string' ? parseSessionUrl(url) : null
}

/** The intent that a record is of; null without one. */
export function intentOf(record: TraceRecord): string | null {
  const own = eventOf(record)['intent']
  const related: unknown = record.files[0]?.conversations[0]?.related
  const [first] = Array.isArray(related) ? (related as unknown[]) : []
  const value = own ?? objectOrNull(first)?.['value']
  return typeof value === 'string' ? value : null
}

/** How many lines a record added and removed, in all its files. */
export function lineCounts({ files }: TraceRecord): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const { conversations, kotef } of files) {
    for (const { ranges } of conversations) for (const it of ranges) added += it.end_line - it.start_line + 1
    const gone: unknown = kotef.removed
    if (Array.isArray(gone)) for (const it of gone) removed += countIn(it)
  }
  return { added: Math.max(0, added), removed }
}

function countIn(range: unknown): number {
  const lines = objectOrNull(range)?.['lines']
  return Number.isSafeInteger(lines) ? Math.max(0, lines as number) : 0
}

/** Who wrote the first file of a record; null when it has none. */
export function authorKindOf({ files: [file] }: TraceRecord): string | null {
  if (!file) return null
  const type: unknown = objectOrNull(file.conversations[0]?.contributor)?.['type']
  return typeof type === 'string' ? type : 'unknown'
}

/** The model with which the first file of a record was written; undefined when it is not known. */
export function modelOf({ files: [file] }: TraceRecord): unknown {
  return objectOrNull(file?.conversations[0]?.contributor)?.['model_id']
}

function writtenAttributes(record: TraceRecord): AttributeValues[] {
  const [file] = record.files
  const about = { intent: intentOf(record), session: sessionOf(record) }
  if (!file) return [about]
  const { op: operation, opaque } = file.kotef
  const files = record.files.length > 1 ? record.files.length : null
  const author = authorKindOf(record)
  return [about, modelAttributes(modelOf(record)), lineCounts(record), { author, operation, opaque, files }]
}

function pathAttributes(record: TraceRecord) {
  const [file] = record.files
  return { path: file?.path ?? eventOf(record)['path'], from: file?.kotef.from }
}

function eventAttributes(own: Payload): AttributeValues {
  const { event, attribution, doubt, source, rule, commit, exit, request, kind, via, pid, agent } = own
  const check = event === 'check-run' ? own['status'] : null
  const isMove = event === 'transition'
  const [before, after] = isMove ? [own['from'], own['to']] : [null, null]
  const write = own['record']
  const role = objectOrNull(own['handover'])?.['role']
  const by = { attribution, doubt, source, rule, commit, exit, request, kind, via, pid, agent }
  return Object.assign(by, { class: own['mutation_class'], write, role, check, before, after })
}

function severityOf(event: string): TelemetryLog['severity'] {
  if (event === 'problem') return 'ERROR'
  return WARNINGS.has(event) ? 'WARN' : 'INFO'
}

const WARNINGS: ReadonlySet<string> = new Set([
  ...['violation', 'skipped', 'claim-stolen', 'rejected', 'refused', 'daemon-gap', 'ledger-closed'],
])

// A message of the ledger may quote a path, or a value of a file: the sentence is made here.
function bodyOf(record: TraceRecord, paths: boolean): string {
  const own = eventOf(record)
  const [file] = record.files
  const event = String(own['event'])
  const path = file?.path ?? own['path']
  const where = paths && typeof path === 'string' ? [path] : []
  const words = file ? changeWords(file, record) : [event, ...textsIn([own['rule'], intentOf(record), own['status']])]
  const [first = event, ...others] = words
  return telemetryText([first, ...where, ...others].join(' '))
}

function changeWords(file: TracedFile, record: TraceRecord): string[] {
  const { added, removed } = lineCounts(record)
  return [file.kotef.op, `+${added} -${removed},`, `${intentOf(record) ?? 'no intent'},`, authorKindOf(record) ?? '']
}

function textsIn(values: readonly unknown[]): string[] {
  return values.filter(it => typeof it === 'string')
}
