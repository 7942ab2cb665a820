import type { TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'

/** A filter of records; an absent field does not restrict. `since` is in milliseconds since 1970. */
export type RecordFilter = {
  readonly intent?: string | undefined
  readonly file?: string | undefined
  /** Any of these. */
  readonly files?: ReadonlySet<string> | undefined
  readonly session?: string | undefined
  readonly since?: number | undefined
}

/** True when a record passes the filter. */
export function matchesFilter(record: TraceRecord, { intent, file, files, session, since }: RecordFilter): boolean {
  return (
    (files === undefined || recordPaths(record).some(it => files.has(String(it)))) &&
    (since === undefined || Date.parse(record.timestamp) >= since) &&
    (intent === undefined || recordIntents(record).includes(intent)) &&
    (session === undefined || recordSessions(record).includes(session)) &&
    (file === undefined || recordPaths(record).includes(file))
  )
}

/** The keys under which the ledger index has a record: a kind and a name each. */
export function recordKeys(record: TraceRecord): Set<string> {
  const keysOfKind = (kind: string, names: readonly unknown[]) =>
    names.filter(it => typeof it === 'string').map(it => `${kind} ${it}`)
  return new Set([
    ...keysOfKind('intent', recordIntents(record)),
    ...keysOfKind('session', recordSessions(record)),
    ...keysOfKind('file', recordPaths(record)),
  ])
}

/** The keys that every record that passes the filter has. */
export function requiredKeys(filter: RecordFilter): string[] {
  return (['intent', 'session', 'file'] as const).flatMap(it =>
    filter[it] === undefined ? [] : [`${it} ${filter[it]}`],
  )
}

/** The keys of which every record that passes the filter has at least one; null without such a restriction. */
export function alternativeKeys({ files }: RecordFilter): string[] | null {
  return files ? [...files].map(it => `file ${it}`) : null
}

function recordIntents(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const related = record.files.flatMap(it => it.conversations.flatMap(of => of.related.map(to => to.value)))
  return 'intent' in own ? [own.intent, ...related] : related
}

function recordSessions(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const urls = record.files.flatMap(it => it.conversations.map(of => parseSessionUrl(of.url)))
  return 'session' in own ? [own.session, ...urls] : urls
}

function recordPaths(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const paths = record.files.flatMap(it => [it.path, it.kotef.from])
  return 'path' in own ? [own.path, ...paths] : paths
}
