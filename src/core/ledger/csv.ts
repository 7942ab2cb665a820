import type { TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'
import { type WorkingClassLookup, workingClasses } from './working-classes.ts'

const COLUMNS = [
  'timestamp',
  'revision',
  'path',
  'op',
  'start_line',
  'end_line',
  'content_hash',
  'contributor',
  'model_id',
  'intent',
  'session',
  'mutation_class',
] as const

/**
 * Records as CSV (RFC 4180, with LF): a header, then a row for each range, or one row for a file without ranges, with
 * the class of the uncommitted change to that content, where one is known.
 */
export function recordsToCsv(records: readonly TraceRecord[]): string {
  const classOf = workingClasses(records)
  return [COLUMNS, ...records.flatMap(it => rowsOf(it, classOf))].map(row => row.map(cellOf).join(',')).join('\n')
}

type CsvCell = string | number | null | undefined

function rowsOf({ timestamp, vcs, files }: TraceRecord, classOf: WorkingClassLookup): CsvCell[][] {
  return files.flatMap(file =>
    file.conversations.flatMap(({ url, contributor, ranges, related }) => {
      const { path, kotef } = file
      const { type, model_id } = contributor
      const session = parseSessionUrl(url)
      const intents = related.map(it => it.value).join(' ')
      return (ranges.length > 0 ? ranges : [null]).map(range => [
        ...[timestamp, vcs?.revision, path, kotef.op, range?.start_line, range?.end_line, range?.content_hash],
        ...[type, model_id, intents, session, classOf(file)?.mutation_class],
      ])
    }),
  )
}

// A spreadsheet computes a cell that begins with one of these as a formula (OWASP: CSV injection).
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: CsvCell): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
