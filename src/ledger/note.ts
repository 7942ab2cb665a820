import type { Authorship, CommittedRecord, NotedConversation } from './committed.ts'
import type { Attribution } from './event.ts'
import type { TracedRange } from './record.ts'
import { sessionIn } from './session-url.ts'

/** The records in a note's text, and how many of its lines are none. */
export function recordsIn(note: string): { records: CommittedRecord[]; bad: number } {
  const lines = note.split('\n').filter(it => it.trim() !== '')
  const records = lines.flatMap(it => recordIn(it))
  return { records, bad: lines.length - records.length }
}

function recordIn(line: string): CommittedRecord[] {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? [value as CommittedRecord] : []
  } catch {
    return []
  }
}

// Many are read at once: what checks shapes elsewhere would take as long as git takes to find them.
type Test = (value: unknown) => boolean

const isText: Test = it => typeof it === 'string'
const isLine: Test = it => Number.isSafeInteger(it) && (it as number) >= 1
const oneOf = (...words: readonly string[]): Test => {
  return it => words.some(word => word === it)
}
const orNone = (test: Test, none: null | undefined): Test => {
  return it => it === none || test(it)
}
const listOf = (test: Test): Test => {
  return it => Array.isArray(it) && it.every(test)
}
const shapeOf = (fields: Readonly<Record<string, Test>>): Test => {
  const tests = Object.entries(fields)
  const isIt = (it: object): boolean => tests.every(([name, test]) => test((it as Record<string, unknown>)[name]))
  return it => typeof it === 'object' && it !== null && !Array.isArray(it) && isIt(it)
}

const isConversation = shapeOf({
  url: orNone(isText, undefined),
  contributor: shapeOf({ type: oneOf('human', 'ai', 'mixed', 'unknown'), model_id: orNone(isText, undefined) }),
  ranges: listOf(shapeOf({ start_line: isLine, end_line: isLine })),
  related: listOf(shapeOf({ type: isText, value: orNone(isText, undefined) })),
  kotef: shapeOf({ attribution: oneOf('claimed', 'window', 'declared', 'person', 'unknown') }),
})
const isFile = shapeOf({
  path: isText,
  conversations: listOf(isConversation),
  kotef: shapeOf({ before: orNone(isText, null), after: orNone(isText, null) }),
})
const isRecord = shapeOf({
  id: isText,
  timestamp: isText,
  vcs: shapeOf({ revision: isText }),
  files: listOf(isFile),
  metadata: shapeOf({ 'dev.kotef': shapeOf({ phase: oneOf('committed'), hash: isText }) }),
})

/** A range of a note, with whom its lines are from. */
export type NotedRange = { readonly range: TracedRange; readonly author: Authorship; readonly record: string }

/** The ranges that records have of a path; where they differ on a line, the one that knows more comes last. */
export function rangesOn(records: readonly CommittedRecord[], path: string): NotedRange[] {
  return records
    .flatMap(({ id, files }) => files.map(it => ({ record: id, ...it })))
    .filter(it => it.path === path)
    .flatMap(({ record, conversations }) => conversations.map(it => ({ record, ...it })))
    .flatMap(({ record, ...it }) => it.ranges.filter(isWhole).map(range => ({ range, author: authorOf(it), record })))
    .sort((one, other) => rankOf(one) - rankOf(other))
}

// As many hashes as lines: a range is never longer than what was written of it.
function isWhole({ start_line, end_line, line_hashes }: TracedRange): boolean {
  const count = end_line - start_line + 1
  return typeof line_hashes === 'string' && count > 0 && Math.floor((line_hashes.length * 3) / 16) === count
}

function authorOf({ url, contributor, related, kotef }: NotedConversation): Authorship {
  return {
    contributor,
    session: sessionIn(url),
    intent: related.find(it => it.type === 'intent')?.value ?? null,
    attribution: kotef.attribution,
  }
}

const RANKS: readonly Attribution[] = ['unknown', 'person', 'declared', 'window', 'claimed']

function rankOf({ author }: NotedRange): number {
  return RANKS.indexOf(author.attribution)
}
