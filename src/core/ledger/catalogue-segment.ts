import type { KeyWords } from './key-hash.ts'
import { joinPairs, pairAt, sortPairs, WordList } from './word-list.ts'

/**
 * The catalogue of a stretch of the ledger: where its lines are, and which of them have which key. Lines are counted
 * from the first of the segment, bytes from `from`.
 */
export type CatalogueSegment = SegmentSpan & SegmentSections

export type SegmentSpan = {
  /** The first byte of the stretch, and the first one after it; whole lines. */
  readonly from: number
  readonly to: number
  /** How many lines the ledger has before. */
  readonly linesBefore: number
  /** The hash of the ledger's bytes before `to`. */
  readonly tail: number
}

export type SegmentSections = {
  /** The hashes of the keys (pairs, sorted), where the lines of each end in `lines`, and these lines, in order. */
  readonly keys: Uint32Array
  readonly ends: Uint32Array
  readonly lines: Uint32Array
  /** Where each line begins, and its time in seconds since 1970. */
  readonly starts: Uint32Array
  readonly times: Uint32Array
  /** The lines that are no record, or repeat an id; and the records that have a problem. */
  readonly bad: Uint32Array
  readonly flawed: Uint32Array
  /** The hashes of the ids (pairs, sorted). */
  readonly ids: Uint32Array
}

/** What is known of a record when its line was read: the hashes of its id and of its keys, as words. */
export type CataloguedRecord = { readonly id: WordList; readonly seconds: number; readonly keys: WordList }

/** Collects the lines of a segment, in order. */
export class SegmentBuilder {
  readonly #starts = new WordList()
  readonly #times = new WordList()
  readonly #bad = new WordList()
  readonly #flawed = new WordList()
  /** The id of each record, and its line. */
  readonly #ids = new WordList()
  readonly #idLines = new WordList()
  #sortedIds: Uint32Array = new Uint32Array()
  /** The key of each posting, by the key's number, and its line. */
  readonly #keyNumbers = new WordList()
  readonly #keyLines = new WordList()
  readonly #keys = new KeyNumbers()

  get lines(): number {
    return this.#starts.length
  }

  add(start: number, record: CataloguedRecord | null, isFlawed = false): void {
    const line = this.lines
    this.#starts.push(start)
    this.#times.push(record?.seconds ?? 0)
    if (record === null) return this.#bad.push(line)
    if (isFlawed) this.#flawed.push(line)
    for (let n = 0; n < record.id.length; n++) this.#ids.push(record.id.at(n))
    this.#idLines.push(line)
    for (let n = 0; n < record.keys.length; n += 2) {
      this.#keyNumbers.push(this.#keys.numberOf(record.keys.at(n), record.keys.at(n + 1)))
      this.#keyLines.push(line)
    }
  }

  /** The ids of the lines so far, sorted; one that came twice is there twice. */
  sortedIds(): Uint32Array {
    if (this.#sortedIds.length < this.#ids.length) this.#sortedIds = sortPairs(this.#ids.words().slice())
    return this.#sortedIds
  }

  /** The segment. `known` are ids that earlier segments have: a record with one of them is bad. */
  finish(span: SegmentSpan, known: readonly KeyWords[]): CatalogueSegment {
    const repeated = this.#repeatedLines(known)
    const isBad = new Set(repeated)
    const { keys, ends, lines } = this.#postings(isBad)
    const starts = this.#starts.words().slice()
    const times = this.#times.words().slice()
    const bad = Uint32Array.from([...this.#bad.words(), ...repeated]).sort()
    const flawed = this.#flawed.words().filter(it => !isBad.has(it))
    return { ...span, keys, ends, lines, starts, times, bad, flawed, ids: this.#ownIds(isBad) }
  }

  #repeatedLines(known: readonly KeyWords[]): number[] {
    const seen = new Set(known.map(pairName))
    const sorted = this.sortedIds()
    const isTwice = new Set<string>()
    for (let n = 2; n < sorted.length; n += 2)
      if (sorted[n] === sorted[n - 2] && sorted[n + 1] === sorted[n - 1]) isTwice.add(pairName(pairAt(sorted, n / 2)))
    if (seen.size + isTwice.size === 0) return []
    const lines: number[] = []
    this.#idLines.words().forEach((line, n) => {
      const name = pairName(pairAt(this.#ids.words(), n))
      if (seen.has(name)) lines.push(line)
      else if (isTwice.has(name)) seen.add(name)
    })
    return lines
  }

  #ownIds(isBad: ReadonlySet<number>): Uint32Array {
    const idLines = this.#idLines.words()
    return isBad.size === 0
      ? this.sortedIds()
      : sortPairs(this.#ids.words().filter((_, n) => !isBad.has(idLines[n >> 1] ?? 0)))
  }

  /** The lines of each key, in the order of the keys. The lines of one key are in order already. */
  #postings(isBad: ReadonlySet<number>): Pick<CatalogueSegment, 'keys' | 'ends' | 'lines'> {
    const { keys, rankOf } = this.#keys.sorted()
    const numbers = this.#keyNumbers.words()
    const keyLines = this.#keyLines.words()
    const counts = new Uint32Array(rankOf.length)
    // A record may name a file twice.
    const lastLines = new Int32Array(rankOf.length).fill(-1)
    const ranks = new Int32Array(numbers.length).fill(-1)
    for (let n = 0; n < numbers.length; n++) {
      const rank = rankOf[numbers[n]!]!
      const line = keyLines[n]!
      if (lastLines[rank] === line || (isBad.size > 0 && isBad.has(line))) continue
      lastLines[rank] = line
      ranks[n] = rank
      counts[rank]!++
    }
    const ends = runningSums(counts)
    const next = ends.map((end, n) => end - counts[n]!)
    const lines = new Uint32Array(ends.at(-1) ?? 0)
    for (let n = 0; n < numbers.length; n++) if (ranks[n]! >= 0) lines[next[ranks[n]!]!++] = keyLines[n]!
    return { keys, ends, lines }
  }
}

function runningSums(counts: Uint32Array): Uint32Array {
  let sum = 0
  return counts.map(it => (sum += it))
}

/** Gives each key a number, in the order in which they come. */
class KeyNumbers {
  readonly #pairs = new WordList()
  #slots = new Int32Array(4096).fill(-1)

  numberOf(low: number, high: number): number {
    const mask = this.#slots.length - 1
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const number = this.#slots[at] ?? -1
      if (number < 0) return this.#add(low, high, at)
      if (this.#pairs.at(number * 2) === low && this.#pairs.at(number * 2 + 1) === high) return number
    }
  }

  sorted(): { keys: Uint32Array; rankOf: Uint32Array } {
    const pairs = this.#pairs.words()
    const order = new Uint32Array(pairs.length / 2).map((_, n) => n)
    order.sort((a, b) => pairs[a * 2 + 1]! - pairs[b * 2 + 1]! || pairs[a * 2]! - pairs[b * 2]!)
    const rankOf = new Uint32Array(order.length)
    const keys = new Uint32Array(pairs.length)
    order.forEach((number, rank) => {
      rankOf[number] = rank
      keys.set(pairs.subarray(number * 2, number * 2 + 2), rank * 2)
    })
    return { keys, rankOf }
  }

  #add(low: number, high: number, at: number): number {
    const number = this.#pairs.length / 2
    this.#pairs.pushPair(low, high)
    this.#slots[at] = number
    if (number * 2 > this.#slots.length) this.#grow()
    return number
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1)
    const pairs = this.#pairs.words()
    const mask = this.#slots.length - 1
    for (let number = 0; number < pairs.length / 2; number++) {
      let at = (pairs[number * 2] ?? 0) & mask
      while ((this.#slots[at] ?? -1) >= 0) at = (at + 1) & mask
      this.#slots[at] = number
    }
  }
}

/** The segment of two stretches, the second of which follows the first. */
export function mergeSegments(one: CatalogueSegment, other: CatalogueSegment): CatalogueSegment {
  const skipped = one.starts.length
  const moved = other.from - one.from
  const movedLines = (lines: Uint32Array) => lines.map(it => it + skipped)
  const keys = new WordList()
  const ends = new WordList()
  const lines = new WordList()
  for (const [n, m] of joinPairs(one.keys, other.keys)) {
    keys.pushPair(...(n >= 0 ? pairAt(one.keys, n) : pairAt(other.keys, m)))
    if (n >= 0) for (const line of postingsAt(one, n)) lines.push(line)
    if (m >= 0) for (const line of postingsAt(other, m)) lines.push(line + skipped)
    ends.push(lines.length)
  }
  return {
    from: one.from,
    to: other.to,
    linesBefore: one.linesBefore,
    tail: other.tail,
    keys: keys.words(),
    ends: ends.words(),
    lines: lines.words(),
    starts: joined(
      one.starts,
      other.starts.map(it => it + moved),
    ),
    times: joined(one.times, other.times),
    bad: joined(one.bad, movedLines(other.bad)),
    flawed: joined(one.flawed, movedLines(other.flawed)),
    ids: sortPairs(joined(one.ids, other.ids)),
  }
}

function postingsAt({ ends, lines }: Pick<CatalogueSegment, 'ends' | 'lines'>, key: number): Uint32Array {
  return lines.subarray(key === 0 ? 0 : ends[key - 1], ends[key])
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const all = new Uint32Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

function pairName([low, high]: KeyWords): string {
  return `${low} ${high}`
}
