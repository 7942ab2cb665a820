import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { LEDGER_PATH } from '../base/governance-files.ts'
import type { TraceRecord } from './record.ts'

/** A valid line of the ledger: its number (1-based), its text and its record. */
export type LedgerEntry = { readonly line: number; readonly text: string; readonly record: TraceRecord }

export type LedgerReading = { readonly entries: readonly LedgerEntry[]; readonly problems: readonly Problem[] }

/**
 * Reads a ledger or a part of it: valid lines and problems. Never throws. `firstLine` is the number of the part's first
 * line; `seen` has the ids of earlier parts, and the function adds those of this part.
 */
export function readLedger(text: string, firstLine = 1, seen = new Set<string>()): LedgerReading {
  const entries: LedgerEntry[] = []
  const problems: Problem[] = []
  const lines = text.split('\n')
  lines.forEach((raw, n) => {
    if (raw === '' && n === lines.length - 1) return
    const line = firstLine + n
    const read = readLine(raw.endsWith('\r') ? raw.slice(0, -1) : raw)
    const problem = lineProblem(raw, read, seen)
    if (problem) problems.push({ file: LEDGER_PATH, line, ...problem })
    if (typeof read === 'string' || seen.has(read.id)) return
    seen.add(read.id)
    entries.push({ line, text: raw.trimEnd(), record: read })
  })
  return { entries, problems }
}

function lineProblem(raw: string, read: TraceRecord | string, seen: ReadonlySet<string>) {
  if (typeof read === 'string') return { expected: 'a ledger record', found: read }
  if (seen.has(read.id)) return { expected: 'an id of its own', found: `${read.id} a second time` }
  return raw.endsWith('\r') ? { expected: 'a line that ends with LF', found: 'CRLF' } : null
}

/** A line as a record, or what was found in its place. */
function readLine(text: string): TraceRecord | string {
  if (text === '') return 'an empty line'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return `${text.length} characters that are not JSON`
  }
  const shaped = recordShape.safeParse(value)
  if (shaped.success) return value as TraceRecord
  const [issue] = shaped.error.issues
  return `JSON without a good ${issue?.path.join('.') || 'object'}`
}

const ownMetadata = z.looseObject({
  event: z.string(),
  writer: z.string(),
  seq: z.int(),
  prev: z.string().nullable(),
  hash: z.string(),
})

const fileShape = z.looseObject({
  path: z.string(),
  conversations: z.array(z.looseObject({ ranges: z.array(z.looseObject({ start_line: z.int(), end_line: z.int() })) })),
  kotef: z.looseObject({ op: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
})

const recordShape = z.looseObject({
  version: z.string(),
  id: z.string(),
  timestamp: z.string(),
  files: z.array(fileShape),
  metadata: z.looseObject({ 'dev.kotef': ownMetadata }),
})
