import type { PathChange } from '../git/changes.ts'
import { parseObject } from '../text/payload.ts'
import { authorshipClaims } from './authorship-claims.ts'
import type { TracedFile, TraceRecord } from './record.ts'

// The git hooks load this file: it reads records without checking their shape, and drops what is not one.

/**
 * For each path of some changes, the intents that its uncommitted lines were written for. `text` is the end of the
 * ledger. A path's records lead from its staged content back to HEAD's; where they don't, only the newest counts.
 */
export function intentsWritten(text: string, changes: readonly PathChange[]): Map<string, string[]> {
  const records = text.split('\n').flatMap(recordsOf)
  const claims = authorshipClaims(records)
  const newestFirst = records.toReversed()
  const found = new Map<string, string[]>()
  for (const change of changes) {
    const writes = writesOf(change.path, newestFirst).map(({ record, file }) => ({
      file,
      intent: claims.get(record.id)?.intent ?? intentOf(file),
    }))
    const intents = sinceHead(writes, change).flatMap(it => it.intent ?? [])
    if (intents.length > 0) found.set(change.path, [...new Set(intents)])
  }
  return found
}

// Only these events say for which intent something was written.
const LINE = /"event":"(?:write|claimed)"/

function recordsOf(line: string): TraceRecord[] {
  const record = LINE.test(line) ? (parseObject(line) as TraceRecord | null) : null
  return record?.metadata?.['dev.kotef'] && Array.isArray(record.files) ? [record] : []
}

function writesOf(path: string, records: readonly TraceRecord[]) {
  return records.flatMap(record =>
    record.files
      .filter(it => it?.kotef && (it.path === path || it.kotef.from === path))
      .map(file => ({ record, file })),
  )
}

function intentOf({ conversations }: TracedFile): string | null {
  return conversations?.flatMap(it => it.related ?? []).find(it => it.type === 'intent')?.value ?? null
}

type Write = { readonly file: TracedFile; readonly intent: string | null }

/** The writes, newest first, since a path had HEAD's content; only the newest when none of them began there. */
function sinceHead(writes: readonly Write[], { before, after }: PathChange): readonly Write[] {
  const staged = writes.findIndex(it => it.file.kotef.after === (after?.oid ?? null))
  const later = writes.slice(Math.max(0, staged))
  const first = later.findIndex(it => it.file.kotef.before === (before?.oid ?? null))
  if (first >= 0) return later.slice(0, first + 1)
  return later.filter(it => it.intent !== null).slice(0, 1)
}
