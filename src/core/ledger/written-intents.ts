import type { PathChange } from '../git/changes.ts'
import { parseObject } from '../base/payload.ts'
import { authorshipClaims } from './authorship-claims.ts'
import type { RecordDraft, TracedFile, TraceRecord } from './record.ts'

// The git hooks load this file: it reads records without checking their shape, and drops what is not one.

/** The end of a ledger in which uncommitted lines are looked for: some 2,000 records, read in a few milliseconds. */
export const LEDGER_END_BYTES = 2 ** 21

/**
 * For each path of some changes, the intents that its uncommitted lines were written for. `text` is the end of the
 * ledger. A path's records lead from its staged content back to HEAD's.
 */
export function intentsWritten(text: string, changes: readonly PathChange[]): Map<string, string[]> {
  const writesOf = writesSinceHead(text)
  const found = changes.map(it => [it.path, writesOf(it).flatMap(({ intent }) => intent ?? [])] as const)
  return new Map(found.flatMap(([path, all]) => (all.length > 0 ? [[path, [...new Set(all)]] as const] : [])))
}

/**
 * The paths of some changes that no agent wrote, as far as the daemon saw each step from HEAD's content to the new one:
 * a step that it missed may be an agent's. `text` is the end of the ledger.
 */
export function writtenByHand(text: string, changes: readonly PathChange[]): string[] {
  const writesOf = writesSinceHead(text)
  const isByHand = (change: PathChange, since = writesOf(change)): boolean =>
    since.length > 0 && since.every(it => it.byHand) && leadsFromHead(since, change)
  return changes.filter(it => isByHand(it)).map(it => it.path)
}

/** As `intentsWritten`, of the writes of agents alone. */
export function intentsWrittenByAgents(text: string, changes: readonly PathChange[]): Map<string, string[]> {
  const writesOf = writesSinceHead(text)
  const intentsOf = (change: PathChange) => writesOf(change).flatMap(it => (it.byAgent ? (it.intent ?? []) : []))
  return new Map(changes.map(it => [it.path, [...new Set(intentsOf(it))]]))
}

/** The paths of some changes of which an agent wrote uncommitted lines; `text` is the end of the ledger. */
export function writtenByAgents(text: string, changes: readonly PathChange[]): string[] {
  const writesOf = writesSinceHead(text)
  return changes.filter(change => writesOf(change).some(it => it.byAgent)).map(it => it.path)
}

/** The same, without the paths of which a person may have written all such lines, while a command of an agent ran. */
export function surelyWrittenByAgents(text: string, changes: readonly PathChange[]): string[] {
  const writesOf = writesSinceHead(text)
  return changes.filter(change => writesOf(change).some(it => it.byAgent && !it.isDoubtful)).map(it => it.path)
}

/** The uncommitted writes of a path that a person may take over, and those that an agent surely made. */
export type WritesToTakeOver = { readonly records: readonly string[]; readonly agents: number }

/**
 * What a person may take over of a path: writes that nobody is known to have made, and those of which a command of an
 * agent may have made each, but a person as well. `text` is the end of the ledger.
 */
export function writesToTakeOver(text: string, change: PathChange): WritesToTakeOver {
  const writes = writesSinceHead(text)(change)
  const open = writes.filter(it => it.isDoubtful || it.isNobodys)
  return { records: open.map(it => it.record), agents: writes.filter(it => it.byAgent && !it.isDoubtful).length }
}

function writesSinceHead(text: string): (change: PathChange) => readonly RecordedWrite[] {
  const newestFirst = recordedWrites(text).reverse()
  return change =>
    sinceHead(
      newestFirst.filter(it => it.path === change.path),
      change,
    )
}

function leadsFromHead(newestFirst: readonly RecordedWrite[], { before, after }: PathChange): boolean {
  const contents = [after?.oid ?? null, ...newestFirst.map(it => it.before)]
  return newestFirst.every((it, n) => it.after === contents[n]) && contents.at(-1) === (before?.oid ?? null)
}

/**
 * True for a path whose uncommitted lines were written for other intents than some, and for none of these; false where
 * no record says for which. `text` is the end of the ledger.
 */
export function isWorkOfOthers(text: string, change: PathChange, own: readonly string[]): boolean {
  const intents = intentsWrittenByAgents(text, [change]).get(change.path) ?? []
  return intents.length > 0 && !intents.some(it => own.includes(it))
}

/** The paths that were written for another intent than one, with those intents; `text` is the end of the ledger. */
export function writtenForOthers(text: string, intent: string): Map<string, string> {
  const others = recordedWrites(text).filter(it => it.intent !== intent)
  return new Map(others.flatMap(it => (it.intent === null ? [] : [[it.path, it.intent] as const])))
}

/** True for a record to be written of work for another intent than one. */
export function isForAnother({ event, files = [] }: RecordDraft, intent: string): boolean {
  const named = event.event === 'claimed' ? [event.intent] : files.map(intentOf)
  return named.some(it => it !== null && it !== intent)
}

/** A write of a path: the blob oids before and after, and the intent that it was for. */
type RecordedWrite = {
  readonly record: string
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly intent: string | null
  /** The daemon saw it happen, and no agent's tool call ran. */
  readonly byHand: boolean
  readonly byAgent: boolean
  /** A person may have written it instead. */
  readonly isDoubtful: boolean
  readonly isNobodys: boolean
}

function recordedWrites(text: string): RecordedWrite[] {
  const records = recordsOfWrites(text)
  const claims = authorshipClaims(records)
  return records.flatMap(record =>
    record.files.flatMap(file =>
      writesIn(file, {
        record: record.id,
        intent: claims.has(record.id) ? (claims.get(record.id)?.intent ?? null) : intentOf(file),
        byHand: !claims.has(record.id) && isSeenByHand(record),
        byAgent: claims.has(record.id) ? claims.get(record.id)?.by === 'agent' : isAgents(record),
        isDoubtful: !claims.has(record.id) && mayBePersons(record),
        isNobodys: !claims.has(record.id) && isUnknown(record),
      }),
    ),
  )
}

function isSeenByHand({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && own.source === 'daemon' && own.agents === 'idle'
}

function isAgents({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && ['claimed', 'window', 'declared'].includes(own.attribution)
}

function mayBePersons({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && own.doubt === 'person'
}

function isUnknown({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && own.attribution === 'unknown'
}

// Only these events say for which intent and by whom something was written.
const LINE = /"event":"(?:write|claimed|taken-over)"/

/** The records of writes and of claims in a part of a ledger; whatever is not one is passed over. */
export function recordsOfWrites(text: string): TraceRecord[] {
  return text.split('\n').flatMap(recordsOf)
}

function recordsOf(line: string): TraceRecord[] {
  const record = LINE.test(line) ? (parseObject(line) as TraceRecord | null) : null
  return record?.metadata?.['dev.kotef'] && record.files?.every?.(it => it?.kotef) ? [record] : []
}

// A rename deletes the path that it is from.
function writesIn(
  { path, kotef: { before, after, from } }: TracedFile,
  author: Omit<RecordedWrite, 'path' | 'before' | 'after'>,
): RecordedWrite[] {
  const write = { path, before, after, ...author }
  return from === undefined ? [write] : [write, { ...write, path: from, after: null }]
}

function intentOf({ conversations }: TracedFile): string | null {
  return conversations?.flatMap(it => it.related ?? []).find(it => it.type === 'intent')?.value ?? null
}

/**
 * The writes, newest first, since a path had HEAD's content. When none of them began there, only the one that wrote
 * exactly what is staged.
 */
export function sinceHead<T extends Pick<RecordedWrite, 'before' | 'after'>>(
  writes: readonly T[],
  { before, after }: PathChange,
): readonly T[] {
  const head = before?.oid ?? null
  const index = after?.oid ?? null
  const staged = writes.findIndex(it => it.after === index)
  const since: T[] = []
  for (const write of writes.slice(Math.max(0, staged))) {
    if (write.after === head) return since
    since.push(write)
    if (write.before === head) return since
  }
  return staged < 0 ? [] : since.slice(0, 1)
}
