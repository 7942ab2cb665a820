import type { PathChange } from '../git/changes.ts'
import {
  handoverRole,
  type LineWriters,
  type RoleBreach,
  type RoleWriter,
  sessionOfPath,
  TASKS_FILE,
  whyNotWritten,
} from '../handover/port.ts'
import { authorshipClaims } from './authorship-claims.ts'
import type { RecordDraft, TracedFile } from './record.ts'
import { parseSessionUrl } from './session-url.ts'
import { recordsOfWrites, sinceHead } from './written-intents.ts'

// The git hooks load this file, as they do `written-intents.ts`.

/** True for a record to be written of a write that the role of its session may not make. */
export function isOutOfRole({ event, files = [] }: RecordDraft): boolean {
  if (event.event === 'claimed') return whyNot(event.path, writerOf(event.handover, event.session)) !== null
  const role = event.event === 'write' ? event.handover : undefined
  const writer = writerOf(role, null)
  const paths = files.flatMap(({ path, kotef: { from } }) => (from === undefined ? [path] : [from, path]))
  return paths.some(it => whyNot(it, writer) !== null)
}

/** The paths that a role wrote which may not, with that role; `text` is the end of a ledger. */
export function writtenOutOfRole(text: string): (readonly [path: string, role: RoleWriter['role']])[] {
  return roleWrites(text).flatMap(({ path, writer }) =>
    writer && whyNot(path, writer) !== null ? [[path, writer.role] as const] : [],
  )
}

/**
 * The paths of some changes that roles wrote which may not: the last write that led to the new content, or lines that
 * nobody has written again since. `text` is the end of a ledger.
 */
export function roleBreaches(text: string, changes: readonly PathChange[]): RoleBreach[] {
  const writes = roleWrites(text)
  const touched = new Set(writes.filter(({ path, writer }) => whyNot(path, writer) !== null).map(it => it.path))
  return changes
    .filter(it => touched.has(it.path))
    .flatMap(change => {
      const { path } = change
      const found = writersOf(writes, change).find(it => whyNot(path, it) !== null) ?? null
      const why = whyNot(path, found)
      return found && why !== null ? [{ path, writer: found, why }] : []
    })
}

/** For the changed lists of tasks that roles wrote, the writer of each line; `text` is the end of a ledger. */
export function taskLineWriters(text: string, changes: readonly PathChange[]): (readonly [string, LineWriters])[] {
  const lists = changes.filter(it => sessionOfPath(it.path)?.file === TASKS_FILE)
  const writes = lists.length === 0 ? [] : roleWrites(text)
  const found = lists.map(it => [it.path, lineWriters(writes, it)] as const)
  return found.filter(([, writers]) => writers.some(it => it !== null))
}

function whyNot(path: string, writer: RoleWriter | null): string | null {
  return writer && whyNotWritten(path, writer)
}

type RoleWrite = {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** Null for a write without a role: of a person, of an agent without a handover, or of unknown origin. */
  readonly writer: RoleWriter | null
  readonly file: TracedFile
}

// Most ledgers have no roles, and then no line is parsed.
function roleWrites(text: string): RoleWrite[] {
  if (!text.includes('"handover":{')) return []
  const records = recordsOfWrites(text)
  const claims = authorshipClaims(records)
  return records.flatMap(({ id, files, metadata }) => {
    const claim = claims.get(id)
    const own = metadata['dev.kotef']
    return files.flatMap(file => {
      const session = parseSessionUrl(file.conversations?.[0]?.url)
      const role = own.event === 'write' ? own.handover : undefined
      const writer = claim ? writerOf(claim.handover, claim.session) : writerOf(role, session)
      return writesOf(file, writer)
    })
  })
}

function writerOf(
  kept: { readonly role: string; readonly session: string } | undefined,
  by: string | null,
): RoleWriter | null {
  const role = handoverRole(kept)
  return role && { ...role, by }
}

function writesOf(file: TracedFile, writer: RoleWriter | null): RoleWrite[] {
  const { path, kotef } = file
  const { before, after, from } = kotef
  const write = { path, before, after, writer, file }
  return from === undefined ? [write] : [write, { ...write, path: from, after: null }]
}

/** Who wrote the new content of a path: the last writer first, then those of its lines. */
function writersOf(writes: readonly RoleWrite[], change: PathChange): LineWriters {
  const last = pathWrites(writes, change)[0]
  const isLast = last !== undefined && last.after === (change.after?.oid ?? null)
  return [...(isLast ? [last.writer] : []), ...lineWriters(writes, change)]
}

function pathWrites(writes: readonly RoleWrite[], change: PathChange): readonly RoleWrite[] {
  return sinceHead(writes.filter(it => it.path === change.path).reverse(), change)
}

/**
 * The writer of each line. Where the staged content is not one that was recorded, because only a part was staged or git
 * converts line ends, the lines are those of the newest content.
 */
function lineWriters(writes: readonly RoleWrite[], change: PathChange): LineWriters {
  const since = pathWrites(writes, change).toReversed()
  const texts = new Map<string | null, LineWriters>([[null, []]])
  for (const { before, after, writer, file } of since) {
    const text = texts.get(before) ?? unknownText(since)
    if (after !== null) texts.set(after, textAfter(text, writer, file))
  }
  return change.after === null ? [] : (texts.get(change.after.oid) ?? texts.get(since.at(-1)?.after ?? null) ?? [])
}

// The records do not say how long HEAD's text is. A text that is too long has lines without a writer at its end.
function unknownText(writes: readonly RoleWrite[]): LineWriters {
  const removed = writes.flatMap(it => it.file.kotef.removed ?? []).map(it => it.start_line + it.lines)
  const added = writes.flatMap(it => rangesOf(it.file)).map(it => it.end_line)
  const longest = [...removed, ...added].reduce((most, it) => Math.max(most, it), 0)
  return Array.from({ length: Math.min(longest, LINES_MAX) }, () => null)
}

// Another program may have written the ledger, so the ranges may have any size.
const LINES_MAX = 1_000_000

function rangesOf({ conversations }: TracedFile) {
  return (conversations ?? []).flatMap(it => it.ranges ?? [])
}

function textAfter(before: LineWriters, writer: RoleWriter | null, file: TracedFile): LineWriters {
  // Nobody knows its lines; the next write replaces its first line, or it stays this writer's.
  if (file.kotef.opaque !== undefined) return [writer]
  let at = 0
  const kept: (RoleWriter | null)[] = []
  for (const { start_line, lines } of file.kotef.removed ?? []) {
    for (; at < start_line - 1 && at < before.length; at++) kept.push(before[at] ?? null)
    at += lines
  }
  const text = [...kept, ...before.slice(at)]
  return rangesOf(file)
    .toSorted((one, other) => one.start_line - other.start_line)
    .reduce<LineWriters>((all, it) => withLines(all, it, writer), text)
}

function withLines(
  text: LineWriters,
  { start_line, end_line }: { readonly start_line: number; readonly end_line: number },
  writer: RoleWriter | null,
): LineWriters {
  const count = Math.min(Math.max(0, end_line - start_line + 1), LINES_MAX)
  const added = Array.from({ length: count }, () => writer)
  return [...text.slice(0, start_line - 1), ...added, ...text.slice(start_line - 1)]
}
