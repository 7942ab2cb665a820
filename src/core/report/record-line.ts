import type { LoggedCommit } from '../git/log.ts'
import type { AuthorshipClaim } from '../ledger/authorship-claims.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { TAKEN_BECAUSE } from './claim-line.ts'
import { localTime } from './local-time.ts'
import { approveCommand } from '../intents/request.ts'
import { printable } from '../base/printable.ts'

/** What a line of the list says first, after the time: the kind of a change, the name of an event, or `commit`. */
export function recordKind({ files, metadata }: TraceRecord): string {
  return files[0]?.kotef.op ?? metadata['dev.kotef'].event
}

/** The width of the column with the kinds of a list: the longest of them, and never less than most have. */
export function kindWidth(kinds: readonly string[]): number {
  return kinds.reduce((width, it) => Math.max(width, it.length), KIND_WIDTH_MIN)
}

const KIND_WIDTH_MIN = 9

/** How a record is listed: a later claim replaces its intent and author; `width` is that of the column of kinds. */
type ListedRecord = { readonly claim?: AuthorshipClaim | undefined; readonly width?: number }

/** A record as one line: time, change, lines, intent, author (with a question mark in doubt). */
export function recordLine(record: TraceRecord, { claim, width = KIND_WIDTH_MIN }: ListedRecord = {}): string {
  const own = record.metadata['dev.kotef']
  const { time } = localTime(record.timestamp)
  const [file] = record.files
  const kind = recordKind(record).padEnd(width)
  if (!file) return `${time}  ${kind} ${detailOf(own)}`.trimEnd()
  const [conversation] = file.conversations
  const { from, opaque } = file.kotef
  const lines = opaque ?? countsOf(file.kotef.removed, conversation?.ranges ?? [])
  const intent = claim ? claim.intent : conversation?.related[0]?.value
  const doubt = !claim && own.event === 'write' && own.doubt ? '?' : ''
  const author = claim ? CLAIMED_BY[claim.by] : (conversation?.contributor.type ?? 'unknown')
  const by = `${intent ?? 'no intent'}, ${author}${doubt}`
  const path = from === undefined ? printable(file.path) : `${printable(from)} -> ${printable(file.path)}`
  return `${time}  ${kind} ${path}  ${lines}  ${by}`
}

const CLAIMED_BY = { agent: 'ai', person: 'human' } as const

/** A commit as a line among records: the time of its committing, its intents and its subject. */
export function committedLine(
  { commit, committed, intents, subject }: LoggedCommit,
  width: number = KIND_WIDTH_MIN,
): string {
  const why = intents.length > 0 ? `  ${intents.map(printable).join(' ')}` : ''
  return `${localTime(committed).time}  ${'commit'.padEnd(width)} ${commit.slice(0, 10)} ${printable(subject)}${why}`
}

/** Returns the lines of a list in which each new day begins with its date; today is not named at the beginning. */
export function dayLister(now: number): (at: string | number, line: string) => string[] {
  let last = localTime(now).day
  return (at, line) => {
    const { day } = localTime(at)
    if (day === last) return [line]
    last = day
    return [day, line]
  }
}

function countsOf(
  removed: readonly { readonly lines: number }[],
  ranges: readonly { readonly start_line: number; readonly end_line: number }[],
): string {
  const added = ranges.reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0)
  return `+${added} -${removed.reduce((sum, it) => sum + it.lines, 0)}`
}

function requestDetail({ intent, kind, wants, request }: Extract<LedgerEvent, { event: 'requested' }>): string {
  const answer = request === undefined ? '' : `: \`${printable(approveCommand(request))}\``
  return `${intent} ${wantedText({ kind, wants })}${answer}`
}

// What an agent writes about an action is for the person who answers, and a page may be exported.
function wantedText({ kind, wants }: Pick<Extract<LedgerEvent, { event: 'requested' }>, 'kind' | 'wants'>): string {
  const wanted = wants.map(printable).join(', ')
  return kind === 'scope' ? wanted : 'an approval'
}

function proofRemark({ person }: { readonly person?: unknown }): string {
  return person === 'proved' ? ' by a person' : ' (not proved that a person did it)'
}

function detailOf(own: TraceRecord['metadata']['dev.kotef']): string {
  switch (own.event) {
    case 'violation':
      return `${own.message}${own.commit === undefined ? '' : ` (commit ${own.commit.slice(0, 10)})`}`
    case 'skipped':
      return `commit ${own.commit.slice(0, 10)}`
    case 'transition':
      return `${own.intent} ${own.from} -> ${own.to}${own.reason === undefined ? '' : ` (${own.reason})`}`
    case 'claimed':
      return `${printable(own.path)} by ${printable(own.agent)}${own.model === null ? '' : `, ${printable(own.model)}`}`
    case 'taken-over':
      return `${printable(own.path)}${proofRemark(own)}`
    case 'classified':
      return `${printable(own.path)}  ${own.mutation_class}: ${printable(own.evidence)}`
    case 'claim-stolen':
      return `${own.intent} from ${printable(own.from)}: ${TAKEN_BECAUSE[own.why]}`
    case 'refused':
      return `${printable(own.tool)} of ${printable(own.agent)}: ${printable(own.code)}`
    case 'requested':
      return requestDetail(own)
    case 'granted':
    case 'rejected':
      return `${own.intent} ${wantedText(own)}${proofRemark(own)}`
    case 'approved':
      return `${own.changes.map(it => printable(it.path)).join(', ')}${proofRemark(own)}`
    case 'attested':
      return `${own.intent}${proofRemark(own)}`
    case 'ledger-closed':
      return `${own.closed.records} records before this (${printable(own.reason)})`
    case 'problem':
      return own.message
    case 'daemon-gap':
      return `no daemon was running since ${Object.values(localTime(own.since)).join(' ')}`
    case 'daemon-started':
    case 'daemon-stopped':
      return `pid ${own.pid}`
    default:
      return 'intent' in own ? `${own.intent}` : ''
  }
}
