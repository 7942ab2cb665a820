import { isUtf8 } from 'node:buffer'
import type { OpenFile } from '../io/files/files.ts'
import { type CataloguedRecord, type CatalogueSegment, SegmentBuilder } from '../../core/ledger/catalogue-segment.ts'
import { hashOfBytes, keyWords, type KeyWords } from '../../core/ledger/key-hash.ts'
import { readLedger } from '../../core/ledger/read-ledger.ts'
import { recordKeys } from '../../core/ledger/record-filter.ts'
import { RecordScanner, SECONDS_MAX } from '../../core/ledger/scan-record.ts'
import { commonPairs, WordList } from '../../core/ledger/word-list.ts'
import { linesIn } from './catalogue-folder.ts'
import type { OpenSegment } from './open-segment.ts'
import { READ_BYTES, readWholeLines } from './read-whole-lines.ts'

type ReadableFile = Pick<OpenFile, 'size' | 'read'>

/** The segment of the ledger's next whole lines, as many as a segment holds; null when there are none. */
export async function nextSegment(
  ledger: ReadableFile,
  before: readonly OpenSegment[],
  progress: (at: number) => void,
): Promise<CatalogueSegment | null> {
  const from = before.at(-1)?.to ?? 0
  const builder = new SegmentBuilder()
  const scanner = new RecordScanner()
  let to = from
  // Two, in turn: memory that is used once costs as much as the lines in it.
  const [one, other] = [0, 1].map(() => Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(0, ledger.size - from))))
  let buffer = one
  let next = other
  let reading = readWholeLines(ledger, to, { into: buffer })
  while (builder.lines < SEGMENT_LINES_MAX && to - from < SEGMENT_BYTES_MAX) {
    const bytes = await reading
    if (bytes.length === 0) break
    if (to > from) progress(to)
    // The next part is read while the lines of this one are added.
    ;[buffer, next] = [next, buffer]
    reading = readWholeLines(ledger, to + bytes.length, { into: buffer })
    reading.catch(() => {})
    to += addLines(builder, scanner, { bytes, start: to - from })
  }
  await reading
  if (to === from) return null
  const known = await knownIds(builder.sortedIds(), before)
  return builder.finish({ from, to, linesBefore: linesIn(before), tail: await tailHashAt(ledger, to) }, known)
}

export const SEGMENT_LINES_MAX = 262_144
// Where a line begins is a number of 32 bits.
export const SEGMENT_BYTES_MAX = 2 ** 31

/** Adds the lines of a part of the ledger, which begins so many bytes after the segment, and returns its length. */
function addLines(
  builder: SegmentBuilder,
  scanner: RecordScanner,
  { bytes, start }: { bytes: Buffer; start: number },
): number {
  // Text that is not UTF-8 is read as other text than its bytes.
  const isText = isUtf8(bytes)
  let at = 0
  for (let end = bytes.indexOf(LF); end >= 0 && builder.lines < SEGMENT_LINES_MAX; end = bytes.indexOf(LF, at)) {
    if (isText && scanner.accepts(bytes, at, end)) builder.add(start + at, scanner)
    else addParsed(builder, start + at, bytes.toString('utf8', at, end + 1))
    at = end + 1
  }
  return at
}

const LF = 0x0a

function addParsed(builder: SegmentBuilder, start: number, text: string): void {
  const { entries, problems } = readLedger(text)
  const record = entries[0]?.record
  builder.add(start, record ? cataloguedRecord(record) : null, problems.length > 0)
}

function cataloguedRecord(record: Parameters<typeof recordKeys>[0]): CataloguedRecord {
  const seconds = Math.min(Math.max(0, Math.floor(Date.parse(record.timestamp) / 1000)) || 0, SECONDS_MAX)
  const keys = new WordList()
  for (const key of recordKeys(record)) keys.pushPair(...keyWords(...key))
  const id = new WordList()
  id.pushPair(...keyWords('id', record.id))
  return { id, seconds, keys }
}

/** The ids, of some, that segments have. */
export async function knownIds(ids: Uint32Array, segments: readonly OpenSegment[]): Promise<KeyWords[]> {
  const known: KeyWords[] = []
  for (const it of segments) for (const each of commonPairs(ids, await it.section('ids'))) known.push(each)
  return known
}

/** The hash of the ledger's bytes before a position; -1 when it is shorter. */
export async function tailHashAt(ledger: ReadableFile, to: number): Promise<number> {
  const from = Math.max(0, to - TAIL_BYTES)
  const bytes = await ledger.read(from, to)
  return bytes.length < to - from ? -1 : hashOfBytes(bytes)
}

// A few records: another ledger has other hashes in them.
const TAIL_BYTES = 4_096
