import { queryLedgerPage } from '../../../world/ledger/query-ledger.ts'
import type { RecordQuery } from '../pages/links.ts'
import { recordFacts } from '../pages/record-facts.ts'
import type { RecordsFacts } from '../pages/records-page.tsx'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** How many records a page has. */
const RECORDS_A_PAGE = 100

/** A page of the records that a query finds. */
export async function gatherRecords(workspace: Workspace, query: RecordQuery): Promise<RecordsFacts> {
  const { before, since: sinceText, ...names } = query
  const since = sinceText === undefined ? undefined : Date.parse(sinceText)
  const now = workspace.clock.now()
  if (since !== undefined && Number.isNaN(since)) return { ...NOTHING, now, query, problem: NOT_A_TIME }
  const found = await queryLedgerPage(workspace, { wanted: { ...names, since }, limit: RECORDS_A_PAGE, before })
  return {
    now,
    query,
    problem: null,
    older: found.older,
    newer: found.newer,
    oldest: found.numbers[0] ?? null,
    records: found.records.map(recordFacts).reverse(),
    damagedLines: found.problems.length,
  }
}

const NOTHING = { records: [], older: 0, newer: 0, oldest: null, damagedLines: 0 }
const NOT_A_TIME = 'Since takes a date or a time in ISO 8601, such as 2026-11-22 or 2026-11-22T08:00Z.'

/** The query that the parameters of an address describe; an empty parameter asks for nothing. */
export function recordQueryOf(parameters: URLSearchParams): RecordQuery {
  const text = (name: string) => parameters.get(name)?.trim() || undefined
  const before = text('before')
  return {
    intent: text('intent'),
    session: text('session'),
    file: text('file'),
    event: text('event'),
    author: text('author') as RecordQuery['author'],
    since: text('since'),
    before: before !== undefined && /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  }
}
