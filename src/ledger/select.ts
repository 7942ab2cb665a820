import type { TraceRecord } from './record.ts'
import { sessionIn } from './session-url.ts'

/** Which records are wanted; what is absent does not restrict. `since` is in milliseconds since 1970. */
export type Wanted = {
  readonly intent?: string | undefined
  readonly file?: string | undefined
  /** Any of these. */
  readonly files?: ReadonlySet<string> | undefined
  readonly session?: string | undefined
  readonly since?: number | undefined
}

/** True when a record is one of those wanted. */
export function isWanted(record: TraceRecord, { intent, file, files, session, since }: Wanted): boolean {
  return (
    (files === undefined || pathsOf(record).some(it => files.has(String(it)))) &&
    (since === undefined || Date.parse(record.timestamp) >= since) &&
    (intent === undefined || intentsOf(record).includes(intent)) &&
    (session === undefined || sessionsOf(record).includes(session)) &&
    (file === undefined || pathsOf(record).includes(file))
  )
}

/** What a record can be asked for by, as keys that stand for a kind of thing and its name. */
export function keysOf(record: TraceRecord): Set<string> {
  const named = (kind: string, names: readonly unknown[]) =>
    names.filter(it => typeof it === 'string').map(it => `${kind} ${it}`)
  return new Set([
    ...named('intent', intentsOf(record)),
    ...named('session', sessionsOf(record)),
    ...named('file', pathsOf(record)),
  ])
}

/** The keys that a record must have to be one of those wanted. */
export function keysOfWanted(wanted: Wanted): string[] {
  return (['intent', 'session', 'file'] as const).flatMap(it =>
    wanted[it] === undefined ? [] : [`${it} ${wanted[it]}`],
  )
}

/** The keys of which a record must have one; null when any record will do. */
export function eitherKeyOf({ files }: Wanted): string[] | null {
  return files ? [...files].map(it => `file ${it}`) : null
}

function intentsOf(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const related = record.files.flatMap(it => it.conversations.flatMap(of => of.related.map(to => to.value)))
  return 'intent' in own ? [own.intent, ...related] : related
}

function sessionsOf(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const urls = record.files.flatMap(it => it.conversations.map(of => sessionIn(of.url)))
  return 'session' in own ? [own.session, ...urls] : urls
}

function pathsOf(record: TraceRecord): unknown[] {
  const own = record.metadata['dev.kotef']
  const paths = record.files.flatMap(it => [it.path, it.kotef.from])
  return 'path' in own ? [own.path, ...paths] : paths
}
