import type { LoggedCommit } from '../../../core/git/log.ts'
import type { LedgerEvent } from '../../../core/ledger/event.ts'
import type { TraceRecord } from '../../../core/ledger/record.ts'
import { TAKEN_BECAUSE } from '../../../core/report/claim-line.ts'
import { localTime } from '../../../core/report/local-time.ts'
import { plural } from '../../../core/base/printable.ts'
import { recordFacts } from './record-facts.ts'
import type { RecordFacts } from './record-row.tsx'

/** What kinds of things happen to an intent; `writes` are those of a day, `write` a single one. */
export const HAPPENING_KINDS = [
  ...(['writes', 'commit', 'violation', 'session', 'status', 'check', 'request', 'edit', 'claim'] as const),
] as const

/** One of these kinds. */
export type HappeningKind = (typeof HAPPENING_KINDS)[number]

/** Something that happened to an intent. */
export type Happening = {
  readonly kind: HappeningKind
  /** ISO 8601. */
  readonly at: string
  /** In words; another program may have written the text of which they are made. */
  readonly what: string
  readonly path: string | null
  readonly session: string | null
  readonly commit: string | null
  /** The day of these writes, and how many there are. */
  readonly writes: { readonly day: string; readonly count: number } | null
}

/** What happened to an intent by its records and commits, newest first: the writes of a day are one entry. */
export function happeningsOf(records: readonly TraceRecord[], commits: readonly LoggedCommit[]): Happening[] {
  const single = records.flatMap(it => happening(it) ?? [])
  const all = [...single, ...writesByDay(records).map(writesOfDay), ...commits.map(commitMade)]
  return all.sort((one, other) => compareTexts(sortKey(other), sortKey(one)))
}

/** The records that are writes, in their order. */
export function writesIn(records: readonly TraceRecord[], day: string | null = null): TraceRecord[] {
  const writes = records.filter(it => it.metadata['dev.kotef'].event === 'write')
  return day === null ? writes : writes.filter(it => dayOf(it) === day)
}

/** A day, and the number of writes on it. */
export type DayOfWrites = { readonly day: string; readonly count: number; readonly last: string }

/** The days with writes, oldest first. */
export function writesByDay(records: readonly TraceRecord[]): DayOfWrites[] {
  const days = new Map<string, DayOfWrites>()
  for (const it of writesIn(records)) {
    const day = dayOf(it)
    const { count = 0, last = '' } = days.get(day) ?? {}
    days.set(day, { day, count: count + 1, last: it.timestamp > last ? it.timestamp : last })
  }
  return [...days.values()].sort((one, other) => compareTexts(one.day, other.day))
}

function dayOf({ timestamp }: TraceRecord): string {
  return localTime(timestamp).day
}

function writesOfDay({ day, count, last }: DayOfWrites): Happening {
  const nothing = { path: null, session: null, commit: null }
  return { kind: 'writes', at: last, what: `${plural(count, 'write')} on ${day}`, ...nothing, writes: { day, count } }
}

function commitMade({ commit, committed, author, subject }: LoggedCommit): Happening {
  const what = `${subject} (${author})`
  return { kind: 'commit', at: committed, what, path: null, session: null, commit, writes: null }
}

function happening(record: TraceRecord): Happening | null {
  const own = record.metadata['dev.kotef']
  const words = eventWords(own)
  if (words === null) return null
  const [path, session] = ['path' in own ? own.path : null, 'session' in own ? own.session : null].map(textOrNull)
  const commit = own.event === 'violation' ? textOrNull(own.commit) : null
  return { ...words, at: record.timestamp, path: path ?? null, session: session ?? null, commit, writes: null }
}

// A classification follows each write, and says nothing of what was done for the intent.
function eventWords(own: LedgerEvent): Pick<Happening, 'kind' | 'what'> | null {
  switch (own.event) {
    case 'violation':
      return { kind: 'violation', what: words(own.message) }
    case 'session-started':
      return { kind: 'session', what: `Selected by ${words(own.agent ?? 'a person')}` }
    case 'session-ended':
      return { kind: 'session', what: 'Session ended' }
    case 'claim-stolen':
      return { kind: 'session', what: `Taken over from session ${words(own.from)}: ${words(TAKEN_BECAUSE[own.why])}` }
    case 'transition':
      return { kind: 'status', what: `${words(own.from)} -> ${words(own.to)}${inBrackets(own.reason)}` }
    case 'check-run':
      return { kind: 'check', what: `${words(own.command)}: ${checkStatusOf(own)}` }
    case 'attested':
      return { kind: 'check', what: `${byPerson(own, 'attested')}: ${words(own.criteria)}` }
    case 'requested':
      return { kind: 'request', what: `Requested: ${wanted(own)}` }
    case 'granted':
      return { kind: 'request', what: `${byPerson(own, 'granted')}: ${wanted(own)}` }
    case 'rejected':
      return { kind: 'request', what: `${byPerson(own, 'rejected')}: ${wanted(own)}${inBrackets(own.reason)}` }
    default:
      return editWords(own)
  }
}

function byPerson({ person }: { readonly person?: unknown }, what: string): string {
  return person === 'proved'
    ? `A person ${what}`
    : `${what[0]?.toUpperCase()}${what.slice(1)}, not proved that a person did it`
}

function editWords(own: LedgerEvent): Pick<Happening, 'kind' | 'what'> | null {
  switch (own.event) {
    case 'intent-added':
      return { kind: 'edit', what: 'Added to the registry' }
    case 'intent-edited':
      return { kind: 'edit', what: `Edited: ${words(own.fields)}` }
    case 'intent-renumbered':
      return { kind: 'edit', what: `Renumbered from ${words(own.from)}` }
    case 'claimed':
      return { kind: 'claim', what: `Earlier writes claimed by ${words(own.agent)}` }
    case 'taken-over':
      return { kind: 'claim', what: byPerson(own, 'taken over') }
    default:
      return null
  }
}

// Another program may have written the line: the fields of an event are not checked when the ledger is read.
function words(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : ''
}

// What an agent writes about an action, and as its reason, is for the person who answers: a page may be exported.
function wanted({ kind, wants }: Extract<LedgerEvent, { event: 'requested' | 'granted' | 'rejected' }>): string {
  return kind === 'scope' ? words(wants) : 'an approval'
}

function inBrackets(reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** How a check ended. Older records have no status. */
export function checkStatusOf(own: Extract<LedgerEvent, { event: 'check-run' }>): NonNullable<typeof own.status> {
  return own.status ?? (own.timed_out ? 'timeout' : own.exit === 0 ? 'passed' : own.exit === null ? 'error' : 'failed')
}

/** The facts of some records, newest first. */
export function newestFirst(records: readonly TraceRecord[]): RecordFacts[] {
  return records.map(recordFacts).reverse()
}

// Commits have the time zone of their committer, records are in UTC.
function sortKey({ at }: Happening): string {
  const time = Date.parse(at)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
