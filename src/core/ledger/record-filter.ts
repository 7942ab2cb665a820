import type { Contributor, TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'

/** A filter of records; an absent field does not restrict. `since` is in milliseconds since 1970. */
export type RecordFilter = {
  readonly intent?: string | undefined
  readonly file?: string | undefined
  /** Any of these. */
  readonly files?: ReadonlySet<string> | undefined
  readonly session?: string | undefined
  /** The kind of event, such as `write`. */
  readonly event?: string | undefined
  /** The kind of contributor, such as `ai`. */
  readonly author?: string | undefined
  readonly since?: number | undefined
}

/** True when a record passes the filter. */
export function matchesFilter(record: TraceRecord, wanted: RecordFilter): boolean {
  const { intent, file, files, session, event, author, since } = wanted
  return (
    (event === undefined || record.metadata['dev.kotef'].event === event) &&
    (author === undefined || recordAuthors(record).includes(author)) &&
    (files === undefined || recordPaths(record).some(it => files.has(String(it)))) &&
    (since === undefined || Date.parse(record.timestamp) >= since) &&
    (intent === undefined || recordIntents(record).includes(intent)) &&
    (session === undefined || recordSessions(record).includes(session)) &&
    (file === undefined || recordPaths(record).includes(file))
  )
}

/** A kind and a name under which the catalogue has a record. */
export type RecordKey = readonly [kind: 'file' | 'intent' | 'session' | 'event' | 'author', name: string]

/** The keys under which the catalogue has a record; one may come twice. */
export function recordKeys(record: TraceRecord): RecordKey[] {
  const keysOfKind = (kind: RecordKey[0], names: readonly unknown[]) =>
    names.filter(it => typeof it === 'string').map((name): RecordKey => [kind, name])
  return [
    ...keysOfKind('intent', recordIntents(record)),
    ...keysOfKind('session', recordSessions(record)),
    ...keysOfKind('file', recordPaths(record)),
    ...keysOfKind('event', [record.metadata['dev.kotef'].event]),
    ...keysOfKind('author', recordAuthors(record)),
  ]
}

/** The keys that every record that passes the filter has. */
export function requiredKeys(filter: RecordFilter): RecordKey[] {
  return (['intent', 'session', 'file', 'event', 'author'] as const).flatMap((kind): RecordKey[] => {
    const name = filter[kind]
    return name === undefined ? [] : [[kind, name]]
  })
}

/** The keys of which every record that passes the filter has at least one; null without such a restriction. */
export function alternativeKeys({ files }: RecordFilter): RecordKey[] | null {
  return files ? [...files].map((name): RecordKey => ['file', name]) : null
}

function recordIntents(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const related = record.files.flatMap(it => it.conversations.flatMap(of => valuesOf(of.related)))
  return 'intent' in own ? [own.intent, ...related] : related
}

// Another program may have written the line: readLedger checks less than the type promises.
function valuesOf(related: unknown): unknown[] {
  return Array.isArray(related) ? related.map((it: { value?: unknown } | null) => it?.value) : []
}

function recordAuthors(record: TraceRecord): unknown[] {
  return record.files.flatMap(it =>
    it.conversations.map(({ contributor }) => (contributor as Partial<Contributor> | undefined)?.type),
  )
}

function recordSessions(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const urls = record.files.flatMap(it =>
    it.conversations.map(({ url }) => (typeof url === 'string' ? parseSessionUrl(url) : null)),
  )
  return 'session' in own ? [own.session, ...urls] : urls
}

function recordPaths(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const paths = record.files.flatMap(it => [it.path, it.kotef.from])
  return 'path' in own ? [own.path, ...paths] : paths
}
