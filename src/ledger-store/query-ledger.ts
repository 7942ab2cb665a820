import { openRandomAccessFile, type RandomAccessFile } from '../io/files/random-access-file.ts'
import { type LineSpan, lineSpansFor } from '../ledger/ledger-index.ts'
import { type LedgerEntry, readLedger } from '../ledger/read-ledger.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { matchesFilter, type RecordFilter } from '../ledger/record-filter.ts'
import type { Problem } from '../findings/finding.ts'
import { removeCatalogue, currentCatalogue, type ReadProgress } from './catalogue-file.ts'
import { locateLedger } from './locate-ledger.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { LEDGER_PATH } from '../paths/governance-files.ts'

export type LedgerQueryResult = {
  readonly records: readonly TraceRecord[]
  /** How many more records match, but are older than the limit allows. */
  readonly older: number
  readonly problems: readonly Problem[]
}

/** The last records that match, up to a limit. Reads only their lines and those with problems. */
export async function queryLedger(workspace: Workspace, query: LedgerQuery): Promise<LedgerQueryResult> {
  await using ledger = await openRandomAccessFile((await locateLedger(workspace)).path)
  if (!ledger) return { records: [], older: 0, problems: [] }
  const result = await queryByCatalogue(workspace, ledger, query)
  if (result) return result
  // The ledger has other lines than the catalogue: another program has changed it.
  await removeCatalogue(workspace)
  return (await queryByCatalogue(workspace, ledger, query)) ?? { records: [], older: 0, problems: [] }
}

type LedgerQuery = { readonly wanted: RecordFilter; readonly limit: number | null; readonly progress?: ReadProgress }

async function queryByCatalogue(
  workspace: Workspace,
  ledger: RandomAccessFile,
  { wanted, limit, progress }: LedgerQuery,
) {
  const catalogue = await currentCatalogue(workspace, ledger, progress)
  const places = lineSpansFor(catalogue, wanted)
  const uncatalogued = readLedger(
    (await ledger.read(catalogue.reached, ledger.size)).toString('utf8'),
    catalogue.lines + 1,
  )
  // The catalogue has times in seconds.
  const isExact = (wanted.since ?? 0) % 1000 === 0
  const uncataloguedRecords = uncatalogued.entries.map(it => it.record).filter(it => matchesFilter(it, wanted))
  const cataloguedMax = limit === null || !isExact ? Infinity : Math.max(0, limit - uncataloguedRecords.length)
  const chosen =
    cataloguedMax === Infinity ? places.wanted : places.wanted.slice(Math.max(0, places.wanted.length - cataloguedMax))
  const found = await readEntries(ledger, chosen)
  if (found.length < chosen.length || !found.every(it => (isExact ? matchesFilter(it.record, wanted) : true)))
    return null
  const all = [...found.map(it => it.record).filter(it => matchesFilter(it, wanted)), ...uncataloguedRecords]
  const records = limit === null ? all : all.slice(-limit)
  const older = places.wanted.length - chosen.length + all.length - records.length
  return { records, older, problems: [...(await readProblems(ledger, places.unsound)), ...uncatalogued.problems] }
}

async function readEntries(ledger: RandomAccessFile, places: readonly LineSpan[]): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for await (const { line, text } of readLines(ledger, places))
    for (const each of readLedger(text, line).entries) entries.push(each)
  return entries
}

async function readProblems(ledger: RandomAccessFile, places: readonly LineSpan[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for await (const { line, text } of readLines(ledger, places)) {
    const { entries, problems: own } = readLedger(text, line)
    for (const each of own) problems.push(each)
    const [good] = entries
    if (!good || own.length > 0) continue
    // The line is sound, but an earlier record has the same id.
    const found = `${good.record.id} a second time`
    problems.push({ file: LEDGER_PATH, line, expected: 'an id of its own', found })
  }
  return problems
}

/** The texts of lines. Lines that are close together are read at once. */
async function* readLines(
  ledger: RandomAccessFile,
  places: readonly LineSpan[],
): AsyncGenerator<{ line: number; text: string }> {
  for (let n = 0; n < places.length;) {
    const group = adjacentLines(places, n)
    const [from, to] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0]
    const bytes = await ledger.read(from, to)
    for (const { line, start, end } of group) {
      yield { line, text: bytes.toString('utf8', start - from, end - from) }
    }
    n += group.length
  }
}

function adjacentLines(places: readonly LineSpan[], first: number): LineSpan[] {
  const group: LineSpan[] = []
  for (let n = first; n < places.length; n++) {
    const [place, before, start] = [places[n], group.at(-1), group[0]]
    if (!place || (before && place.start - before.end > GAP_BYTES_MAX)) break
    if (start && place.end - start.start > GROUP_BYTES_MAX) break
    group.push(place)
  }
  return group
}

// Reading this much more is cheaper than another read.
const GAP_BYTES_MAX = 16_384
// Limits the memory of one read.
const GROUP_BYTES_MAX = 4 * 2 ** 20
