import { type LedgerEntry, readLedger } from '../../core/ledger/read-ledger.ts'
import { keyWords } from '../../core/ledger/key-hash.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import {
  alternativeKeys,
  matchesFilter,
  type RecordFilter,
  type RecordKey,
  recordKeys,
  requiredKeys,
} from '../../core/ledger/record-filter.ts'
import type { Problem } from '../../core/base/finding.ts'
import { currentSegments, newSegments, type ReadProgress, segmentsInMemory } from './catalogue.ts'
import { linesIn } from './catalogue-folder.ts'
import { openLedger, type OpenLedger } from './open-ledger.ts'
import { type OpenSegment, SegmentDamage } from './open-segment.ts'
import { readLines } from './read-lines.ts'
import { type LineSpan, matchingLines, spansOf, unsoundLines } from './segment-lines.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { LEDGER_PATH } from '../../core/base/governance-files.ts'

export type LedgerQueryResult = {
  readonly records: readonly TraceRecord[]
  /** How many more records match, but are older than the limit allows. */
  readonly older: number
  readonly problems: readonly Problem[]
}

/** Records that match, and their place among all that do. */
export type LedgerPage = LedgerQueryResult & {
  /** The number of each record in the ledger, from 0. */
  readonly numbers: readonly number[]
  /** How many more records match, but are not before the end that was wanted. */
  readonly newer: number
}

/** The last records that match, up to a limit. Reads only their lines and those with problems. */
export async function queryLedger(workspace: Workspace, query: LedgerQuery): Promise<LedgerQueryResult> {
  const { records, older, problems } = await queryLedgerPage(workspace, query)
  return { records, older, problems }
}

/** The same, of the records before the one with the number `before`, for an answer in pages. */
export async function queryLedgerPage(workspace: Workspace, query: LedgerQuery): Promise<LedgerPage> {
  await using ledger = await openLedger(workspace)
  if (!ledger) return { records: [], numbers: [], older: 0, newer: 0, problems: [] }
  for (const openSegments of WAYS) {
    const segments = await openSegments(workspace, ledger, query.progress)
    const answer = await queryBySegments(segments, ledger, query).catch(damageAsNull)
    if (answer?.fits) return answer.result
  }
  return (await queryBySegments(await segmentsInMemory(workspace, ledger), ledger, query)).result
}

/** Brings the catalogue up to the end of the ledger, so that a question need not. */
export async function updateCatalogue(workspace: Workspace): Promise<void> {
  await using ledger = await openLedger(workspace)
  if (ledger) await currentSegments(workspace, ledger)
}

// Another process may have merged segments while they were read. If not, the catalogue is not of this ledger.
const WAYS = [currentSegments, currentSegments, newSegments]

function damageAsNull(thrown: unknown): null {
  if (thrown instanceof SegmentDamage) return null
  throw thrown
}

type LedgerQuery = {
  readonly wanted: RecordFilter
  readonly limit: number | null
  /** Only records with a lower number, from 0. */
  readonly before?: number | undefined
  readonly progress?: ReadProgress
}

/** The answer by the lines that the segments name; `fits` is false when a line is not what its segment says. */
async function queryBySegments(
  segments: readonly OpenSegment[],
  ledger: OpenLedger,
  { wanted, limit, before = Infinity }: LedgerQuery,
): Promise<{ readonly result: LedgerPage; readonly fits: boolean }> {
  const rest = await ledger.read(segments.at(-1)?.to ?? 0, ledger.size)
  const open = readLedger(rest.toString('utf8'), linesIn(segments) + 1)
  const openMatches = open.entries.filter(it => matchesFilter(it.record, wanted))
  const openEntries = openMatches.filter(it => it.line <= before)
  // The catalogue has times in seconds.
  const isExact = (wanted.since ?? 0) % 1000 === 0
  const most = limit === null || !isExact ? Infinity : Math.max(0, limit - openEntries.length)
  const { spans, older, newer } = await lastSpans(segments, wanted, { most, before })
  const { entries: found, fits } = await readRecords(ledger, spans, wanted)
  const all = [...found, ...openEntries]
  const last = limit === null ? all : all.slice(Math.max(0, all.length - limit))
  const problems = [...(await readProblems(ledger, await unsoundSpans(segments))), ...open.problems]
  const records = last.map(it => it.record)
  const numbers = last.map(it => it.line - 1)
  const counts = { older: older + all.length - last.length, newer: newer + openMatches.length - openEntries.length }
  return { result: { records, numbers, ...counts, problems }, fits }
}

type LastLines = { readonly most: number; readonly before: number }

/** Where the last of the matching lines before one are, and how many more match, before and after them. */
async function lastSpans(
  segments: readonly OpenSegment[],
  wanted: RecordFilter,
  { most, before }: LastLines,
): Promise<{ spans: LineSpan[]; older: number; newer: number }> {
  const parts: LineSpan[][] = []
  let chosen = 0
  let older = 0
  let newer = 0
  for (const segment of [...segments].reverse()) {
    const matching = await matchingLines(segment, wanted)
    const lines = linesBelow(matching, before - segment.linesBefore)
    const own = lines.subarray(Math.max(0, lines.length - (most - chosen)))
    parts.push(await spansOf(segment, own))
    chosen += own.length
    older += lines.length - own.length
    newer += matching.length - lines.length
  }
  return { spans: parts.reverse().flat(), older, newer }
}

function linesBelow(lines: Uint32Array, end: number): Uint32Array {
  const length = (lines.at(-1) ?? -1) < end ? lines.length : lines.findIndex(it => it >= end)
  return lines.subarray(0, length)
}

async function readRecords(
  ledger: OpenLedger,
  spans: readonly LineSpan[],
  wanted: RecordFilter,
): Promise<{ entries: LedgerEntry[]; fits: boolean }> {
  const entries: LedgerEntry[] = []
  const hasKeys = keyTest(wanted)
  let fits = true
  for await (const { line, text } of readLines(ledger, spans)) {
    const [entry] = readLedger(text, line).entries
    if (entry && matchesFilter(entry.record, wanted)) entries.push(entry)
    else fits &&= entry !== undefined && hasKeys(entry.record)
  }
  return { entries, fits }
}

/** True for a record that the catalogue has under the keys of a filter. Two names may have one hash. */
function keyTest(wanted: RecordFilter): (record: TraceRecord) => boolean {
  const all = requiredKeys(wanted).map(hashName)
  const either = alternativeKeys(wanted)?.map(hashName)
  if (all.length === 0 && !either) return () => true
  return record => {
    const own = new Set(recordKeys(record).map(hashName))
    return all.every(it => own.has(it)) && (!either || either.some(it => own.has(it)))
  }
}

function hashName(key: RecordKey): string {
  return keyWords(...key).join(' ')
}

async function unsoundSpans(segments: readonly OpenSegment[]): Promise<LineSpan[]> {
  const spans: LineSpan[] = []
  for (const it of segments) for (const span of await spansOf(it, await unsoundLines(it))) spans.push(span)
  return spans
}

async function readProblems(ledger: OpenLedger, places: readonly LineSpan[]): Promise<Problem[]> {
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
