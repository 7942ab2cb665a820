import type { Authorship, CommitRecord, NotedConversation } from './commit-record.ts'
import type { Attribution } from './event.ts'
import type { TracedRange } from './record.ts'
import { parseSessionUrl } from './session-url.ts'

/** The records in the text of a note, and the number of lines that are not records. */
export function parseNote(note: string): { records: CommitRecord[]; bad: number } {
  const lines = note.split('\n').filter(it => it.trim() !== '')
  const records = lines.flatMap(it => parseNoteLine(it))
  return { records, bad: lines.length - records.length }
}

function parseNoteLine(line: string): CommitRecord[] {
  try {
    const value: unknown = JSON.parse(line)
    return isCommitRecord(value) ? [value as CommitRecord] : []
  } catch {
    return []
  }
}

// Thousands of notes are read at once. zod would take as long for them as git takes to find them.
type ShapeTest = (value: unknown) => boolean

const isText: ShapeTest = it => typeof it === 'string'
const isLine: ShapeTest = it => Number.isSafeInteger(it) && (it as number) >= 1
const oneOf = (...words: readonly string[]): ShapeTest => {
  return it => words.some(word => word === it)
}
const orNone = (test: ShapeTest, none: null | undefined): ShapeTest => {
  return it => it === none || test(it)
}
const listOfShape = (test: ShapeTest): ShapeTest => {
  return it => Array.isArray(it) && it.every(test)
}
const shapeOf = (fields: Readonly<Record<string, ShapeTest>>): ShapeTest => {
  const tests = Object.entries(fields)
  const isIt = (it: object): boolean => tests.every(([name, test]) => test((it as Record<string, unknown>)[name]))
  return it => typeof it === 'object' && it !== null && !Array.isArray(it) && isIt(it)
}

const isConversation = shapeOf({
  url: orNone(isText, undefined),
  contributor: shapeOf({ type: oneOf('human', 'ai', 'mixed', 'unknown'), model_id: orNone(isText, undefined) }),
  ranges: listOfShape(shapeOf({ start_line: isLine, end_line: isLine })),
  related: listOfShape(shapeOf({ type: isText, value: orNone(isText, undefined) })),
  kotef: shapeOf({ attribution: oneOf('claimed', 'window', 'declared', 'person', 'unknown') }),
})
const isFile = shapeOf({
  path: isText,
  conversations: listOfShape(isConversation),
  kotef: shapeOf({ before: orNone(isText, null), after: orNone(isText, null) }),
})
const isCommitRecord = shapeOf({
  id: isText,
  timestamp: isText,
  vcs: shapeOf({ revision: isText }),
  files: listOfShape(isFile),
  metadata: shapeOf({ 'dev.kotef': shapeOf({ phase: oneOf('committed'), hash: isText }) }),
})

/** A range of a note, with its author. */
export type NotedRange = { readonly range: TracedRange; readonly author: Authorship; readonly record: string }

/** The ranges of a path in some records. If several have the same line, the strongest attribution comes last. */
export function notedRanges(records: readonly CommitRecord[], path: string): NotedRange[] {
  return records
    .flatMap(({ id, files }) => files.map(it => ({ record: id, ...it })))
    .filter(it => it.path === path)
    .flatMap(({ record, conversations }) => conversations.map(it => ({ record, ...it })))
    .flatMap(({ record, ...it }) =>
      it.ranges.filter(hasAllHashes).map(range => ({ range, author: authorshipOf(it), record })),
    )
    .sort((one, other) => rankOf(one) - rankOf(other))
}

// A foreign note may claim more lines than it has hashes for.
function hasAllHashes({ start_line, end_line, line_hashes }: TracedRange): boolean {
  const count = end_line - start_line + 1
  return typeof line_hashes === 'string' && count > 0 && Math.floor((line_hashes.length * 3) / 16) === count
}

function authorshipOf({ url, contributor, related, kotef }: NotedConversation): Authorship {
  const { attribution, doubt } = kotef
  return {
    contributor,
    session: parseSessionUrl(url),
    intent: related.find(it => it.type === 'intent')?.value ?? null,
    attribution,
    // A note may be of a later kotef, or foreign.
    ...((doubt === 'person' || doubt === 'agent') && { doubt }),
  }
}

const ATTRIBUTION_RANKS: readonly Attribution[] = ['unknown', 'person', 'declared', 'window', 'claimed']

function rankOf({ author }: NotedRange): number {
  return ATTRIBUTION_RANKS.indexOf(author.attribution)
}
