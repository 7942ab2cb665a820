import * as z from 'zod'
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
    return shape.safeParse(value).success ? [value as CommittedRecord] : []
  } catch {
    return []
  }
}

const range = z.looseObject({ start_line: z.int().min(1), end_line: z.int().min(1) })
const conversation = z.looseObject({
  url: z.string().optional(),
  contributor: z.looseObject({ type: z.enum(['human', 'ai', 'mixed', 'unknown']), model_id: z.string().optional() }),
  ranges: z.array(range),
  related: z.array(z.looseObject({ type: z.string(), value: z.string().optional() })),
  kotef: z.looseObject({ attribution: z.enum(['claimed', 'window', 'declared', 'person', 'unknown']) }),
})
const file = z.looseObject({
  path: z.string(),
  conversations: z.array(conversation),
  kotef: z.looseObject({ before: z.string().nullable(), after: z.string().nullable() }),
})
const shape = z.looseObject({
  id: z.string(),
  timestamp: z.string(),
  vcs: z.looseObject({ revision: z.string() }),
  files: z.array(file),
  metadata: z.looseObject({ 'dev.kotef': z.looseObject({ phase: z.literal('committed'), hash: z.string() }) }),
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
