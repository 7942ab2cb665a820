import type { LedgerReading } from './read-ledger.ts'
import { alternativeKeys, recordKeys, requiredKeys, type RecordFilter } from './record-filter.ts'

/**
 * An index of the ledger, so that a query reads only the lines that it needs. It is derived from the ledger and can be
 * deleted. It consists of cells of 16 bytes: a number, a word (the first half of a key, or the kind of the cell) and a
 * second word. The cell of a line is followed by the cells of its keys. Cells that were added at once are a stretch,
 * which ends with two cells that show whether it is intact.
 */
export type LedgerIndex = {
  readonly cells: Cells
  /** The number of cells, and of lines that they index. */
  readonly count: number
  readonly lines: number
  /** The number of indexed bytes of the ledger, and the hash of the bytes before that position. */
  readonly reached: number
  readonly tail: number
}

type Cells = { readonly numbers: Float64Array; readonly words: Uint32Array }

const LINE_CELL = 0 // where the line begins; seconds since 1970
const BAD_CELL = 1 // where a line begins that is not a record, or repeats an id
const FLAWED_CELL = 2 // the line before it is a record, and has a problem
const ID_CELL = 3 // both halves of the hash of a record's id
const END_CELL = 4 // where the stretch ends in the ledger; the hash of the bytes before
const SUM_CELL = 5 // the sum over the stretch
const CELL_KINDS_MAX = 16
const CELL_BYTES = 16

/** Reads an index up to the last intact stretch. Never throws. */
export function readLedgerIndex(bytes: Uint8Array): LedgerIndex {
  const cells = cellsIn(bytes)
  let whole: LedgerIndex = { cells, count: 0, lines: 0, reached: 0, tail: tailHash(Buffer.alloc(0)) }
  let lines = 0
  for (let cell = 0; cell * CELL_BYTES < cells.words.byteLength; cell++) {
    const kind = cells.words[cell * 4 + 2]
    if (kind === LINE_CELL || kind === BAD_CELL) lines++
    if (kind !== SUM_CELL) continue
    if (cells.numbers[cell * 2] !== 0 || cells.words[cell * 4 + 3] !== sumOf(cells, whole.count, cell)) break
    const [reached, tail] = [cells.numbers[cell * 2 - 2] ?? 0, cells.words[cell * 4 - 1] ?? 0]
    whole = { cells, count: cell + 1, lines, reached, tail }
  }
  return whole
}

/** The bytes of the intact part of an index. */
export function ledgerIndexBytes({ cells, count }: LedgerIndex): Uint8Array {
  return new Uint8Array(cells.words.buffer, cells.words.byteOffset, count * CELL_BYTES)
}

/** Lines of the ledger to index, each with the byte at which it begins. */
export type LedgerStretch = {
  readonly reading: LedgerReading
  readonly firstLine: number
  readonly starts: readonly number[]
  readonly reached: number
  readonly tail: number
}

/** The cells of further lines, as bytes to append to the index. */
export function indexStretch(index: LedgerIndex, { reading, firstLine, ...stretch }: LedgerStretch): Uint8Array {
  const entries = new Map(reading.entries.map(it => [it.line - firstLine, it.record]))
  const flawed = new Set(reading.problems.map(it => (it.line ?? 0) - firstLine))
  const known = indexedIds(index, new Set([...entries.values()].map(it => it.id)))
  const cells: IndexCell[] = []
  stretch.starts.forEach((start, n) => {
    const record = entries.get(n)
    if (!record || known.has(record.id)) return void cells.push([start, BAD_CELL, 0])
    cells.push([start, LINE_CELL, Math.floor(Date.parse(record.timestamp) / 1000) || 0])
    if (flawed.has(n)) cells.push([start, FLAWED_CELL, 0])
    cells.push([hash32(record.id, FIRST_SEED), ID_CELL, hash32(record.id, SECOND_SEED)])
    for (const key of recordKeys(record)) cells.push([start, keyWord(key), hash32(key, SECOND_SEED)])
  })
  return withChecksum([...cells, [stretch.reached, END_CELL, stretch.tail]])
}

type IndexCell = readonly [number: number, kind: number, word: number]

function withChecksum(all: readonly IndexCell[]): Uint8Array {
  const cells = cellsIn(new Uint8Array((all.length + 1) * CELL_BYTES))
  all.forEach(([number, kind, word], n) => {
    cells.numbers[n * 2] = number
    cells.words.set([kind, word], n * 4 + 2)
  })
  cells.words.set([SUM_CELL, sumOf(cells, 0, all.length)], all.length * 4 + 2)
  return new Uint8Array(cells.words.buffer)
}

/** The ids among some that the index has. */
function indexedIds({ cells, count }: LedgerIndex, ids: ReadonlySet<string>): Set<string> {
  const byHalf = new Map([...ids].map(id => [hash32(id, FIRST_SEED), id]))
  const known = new Set<string>()
  for (let cell = 0; cell < count; cell++) {
    if (cells.words[cell * 4 + 2] !== ID_CELL) continue
    const id = byHalf.get(cells.numbers[cell * 2] ?? -1)
    if (id !== undefined && hash32(id, SECOND_SEED) === cells.words[cell * 4 + 3]) known.add(id)
  }
  return known
}

/** A line of the ledger: its number, its first byte, and the first byte of the next line. */
export type LineSpan = { readonly line: number; readonly start: number; readonly end: number }

/** The lines to read for a query, in order; `unsound` are the lines with a problem. */
export function lineSpansFor(index: LedgerIndex, wanted: RecordFilter): { wanted: LineSpan[]; unsound: LineSpan[] } {
  const { cells, count } = index
  const keys = requiredKeys(wanted).map(it => [keyWord(it), hash32(it, SECOND_SEED)] as const)
  const either = alternativeWords(alternativeKeys(wanted))
  const since = wanted.since === undefined ? -1 : Math.floor(wanted.since / 1000)
  const found = { wanted: [] as LineSpan[], unsound: [] as LineSpan[] }
  let current = { line: 0, start: 0, isGood: false, isSound: true, hits: 0, isEither: false }
  const endLine = (end: number): void => {
    const span = { line: current.line, start: current.start, end }
    if (current.isGood && current.isEither && current.hits === 2 ** keys.length - 1) found.wanted.push(span)
    if (!current.isSound) found.unsound.push(span)
  }
  for (let cell = 0; cell < count; cell++) {
    const [kind, word] = [cells.words[cell * 4 + 2] ?? SUM_CELL, cells.words[cell * 4 + 3] ?? 0]
    if (kind === LINE_CELL || kind === BAD_CELL) {
      const start = cells.numbers[cell * 2] ?? 0
      if (current.line > 0) endLine(start)
      const isGood = kind === LINE_CELL && word >= since
      current = { line: current.line + 1, start, isGood, isSound: kind === LINE_CELL, hits: 0, isEither: !either }
    } else if (kind === FLAWED_CELL) current.isSound = false
    else if (kind >= CELL_KINDS_MAX) {
      for (const [n, [first, second]] of keys.entries()) if (kind === first && word === second) current.hits |= 1 << n
      if (either?.get(kind)?.has(word)) current.isEither = true
    }
  }
  if (current.line > 0) endLine(index.reached)
  return found
}

/** Keys as the words of their cells: the second words by the first word. */
function alternativeWords(keys: readonly string[] | null): Map<number, Set<number>> | null {
  if (!keys) return null
  const words = new Map<number, Set<number>>()
  for (const key of keys) words.set(keyWord(key), (words.get(keyWord(key)) ?? new Set()).add(hash32(key, SECOND_SEED)))
  return words
}

function cellsIn(bytes: Uint8Array): Cells {
  const length = bytes.length - (bytes.length % CELL_BYTES)
  const own = bytes.byteOffset % CELL_BYTES === 0 ? bytes : new Uint8Array(bytes)
  return {
    numbers: new Float64Array(own.buffer, own.byteOffset, length / 8),
    words: new Uint32Array(own.buffer, own.byteOffset, length / 4),
  }
}

function sumOf({ words }: Cells, from: number, to: number): number {
  let sum = 1
  for (let n = from * 4; n < to * 4; n++) sum = (Math.imul(sum, 31) + (words[n] ?? 0)) | 0
  return sum >>> 0
}

const FIRST_SEED = 0x811c9dc5
const SECOND_SEED = 0x2545f491

/** A hash of 32 bits (FNV-1a). Two of them, with two seeds, identify a text. */
function hash32(text: string, seed: number): number {
  let hash = seed
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash >>> 0
}

/** The first half of a key's hash, changed if it equals a kind of cell. */
function keyWord(key: string): number {
  const word = hash32(key, FIRST_SEED)
  return word < CELL_KINDS_MAX ? word + CELL_KINDS_MAX : word
}

/** The hash of the bytes before a position: shows whether the ledger is still the indexed one. */
export function tailHash(bytes: Buffer): number {
  return hash32(bytes.toString('latin1'), FIRST_SEED)
}
