import { keyWords } from '../../core/ledger/key-hash.ts'
import { alternativeKeys, type RecordFilter, type RecordKey, requiredKeys } from '../../core/ledger/record-filter.ts'
import { findPair } from '../../core/ledger/word-list.ts'
import type { OpenSegment } from './open-segment.ts'

/** A line of the ledger: its number, its first byte, and the first byte of the next line. */
export type LineSpan = { readonly line: number; readonly start: number; readonly end: number }

/** The lines of a segment, counted from its first, that have the keys of a filter and are not older than it wants. */
export async function matchingLines(segment: OpenSegment, wanted: RecordFilter): Promise<Uint32Array> {
  const since = wanted.since === undefined ? 0 : Math.floor(wanted.since / 1000)
  if (segment.timeMax < since) return NO_LINES
  const lines = await linesWithKeys(segment, wanted)
  if (lines.length === 0 || segment.timeMin >= since) return lines
  const times = await segment.section('times')
  return lines.filter(it => (times[it] ?? 0) >= since)
}

const NO_LINES = new Uint32Array()

async function linesWithKeys(segment: OpenSegment, wanted: RecordFilter): Promise<Uint32Array> {
  const either = alternativeKeys(wanted)
  const all: Uint32Array[] = []
  for (const key of requiredKeys(wanted)) all.push(await linesOfKeys(segment, [key]))
  if (either) all.push(await linesOfKeys(segment, either))
  const [fewest = await goodLines(segment), ...others] = all.sort((a, b) => a.length - b.length)
  return others.reduce((lines, other) => inBoth(lines, other), fewest)
}

/** The lines that have any of some keys, in order. */
async function linesOfKeys(segment: OpenSegment, wanted: readonly RecordKey[]): Promise<Uint32Array> {
  const keys = await segment.section('keys')
  const found = wanted.map(([kind, name]) => findPair(keys, ...keyWords(kind, name))).filter(it => it >= 0)
  if (found.length === 0) return NO_LINES
  const ends = await segment.section('ends')
  const parts: Uint32Array[] = []
  for (const it of found) parts.push(await segment.section('lines', it === 0 ? 0 : ends[it - 1], ends[it]))
  const [only = NO_LINES] = parts
  if (parts.length === 1) return only
  const sorted = Uint32Array.from(parts.flatMap(it => [...it])).sort()
  return sorted.filter((line, n) => line !== sorted[n - 1])
}

async function goodLines(segment: OpenSegment): Promise<Uint32Array> {
  const bad = new Set(await segment.section('bad'))
  const all = new Uint32Array(segment.sections.starts.count)
  // Ten times as fast as a map.
  for (let n = 0; n < all.length; n++) all[n] = n
  return bad.size === 0 ? all : all.filter(it => !bad.has(it))
}

/** What two sorted lists have in common. */
function inBoth(one: Uint32Array, other: Uint32Array): Uint32Array {
  let at = 0
  return one.filter(line => {
    while (at < other.length && (other[at] ?? 0) < line) at++
    return other[at] === line
  })
}

/** Lines of a segment that have a problem. */
export async function unsoundLines(segment: OpenSegment): Promise<Uint32Array> {
  return Uint32Array.from([...(await segment.section('bad')), ...(await segment.section('flawed'))]).sort()
}

/** Where some lines of a segment are in the ledger. */
export async function spansOf(segment: OpenSegment, lines: Uint32Array): Promise<LineSpan[]> {
  const first = lines[0]
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return []
  const { count } = segment.sections.starts
  const starts = await segment.section('starts', first, Math.min(count, last + 2))
  const startOf = (line: number): number => (line === count ? segment.to : segment.from + (starts[line - first] ?? 0))
  return Array.from(lines, it => ({ line: segment.linesBefore + it + 1, start: startOf(it), end: startOf(it + 1) }))
}
