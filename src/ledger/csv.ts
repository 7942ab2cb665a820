import type { TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'

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
] as const

/** Records as CSV (RFC 4180, with LF): a header, then a row for each range, or one row for a file without ranges. */
export function recordsToCsv(records: readonly TraceRecord[]): string {
  return [COLUMNS, ...records.flatMap(rowsOf)].map(row => row.map(cellOf).join(',')).join('\n')
}

type CsvCell = string | number | null | undefined

function rowsOf({ timestamp, vcs, files }: TraceRecord): CsvCell[][] {
  return files.flatMap(({ path, conversations, kotef }) =>
    conversations.flatMap(({ url, contributor, ranges, related }) => {
      const { type, model_id } = contributor
      const session = parseSessionUrl(url)
      const intents = related.map(it => it.value).join(' ')
      return (ranges.length > 0 ? ranges : [null]).map(range => [
        ...[timestamp, vcs?.revision, path, kotef.op, range?.start_line, range?.end_line, range?.content_hash],
        ...[type, model_id, intents, session],
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
