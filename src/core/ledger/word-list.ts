import type { KeyWords } from './key-hash.ts'

/** A list of words (32 bits) that grows. */
export class WordList {
  length = 0
  #words = new Uint32Array(64)

  push(word: number): void {
    if (this.length === this.#words.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words[this.length++] = word
  }

  pushPair(low: number, high: number): void {
    this.push(low)
    this.push(high)
  }

  at(n: number): number {
    return this.#words[n] ?? 0
  }

  /** Removes all words. */
  clear(): void {
    this.length = 0
  }

  /** Its words, without a copy: valid until the next one is added. */
  words(): Uint32Array {
    return this.#words.subarray(0, this.length)
  }
}

/** Where a pair of words is in a sorted list of pairs; a negative number when it is not there. */
export function findPair(pairs: Uint32Array, low: number, high: number): number {
  const wanted = Uint32Array.of(low, high)
  let from = 0
  let to = pairs.length / 2
  while (from < to) {
    const middle = (from + to) >> 1
    const order = comparePairs(pairs, middle, wanted)
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return -1
}

/** Sorts a list of pairs, the high word (the second one) first. */
export function sortPairs(pairs: Uint32Array): Uint32Array {
  new BigUint64Array(pairs.buffer, pairs.byteOffset, pairs.length / 2).sort()
  return pairs
}

/** The pairs that two sorted lists have in common. */
export function commonPairs(one: Uint32Array, other: Uint32Array): KeyWords[] {
  const common: KeyWords[] = []
  for (let [n, m] = [0, 0]; n < one.length && m < other.length;) {
    const order = (one[n + 1] ?? 0) - (other[m + 1] ?? 0) || (one[n] ?? 0) - (other[m] ?? 0)
    if (order === 0) common.push(pairAt(one, n / 2))
    if (order <= 0) n += 2
    if (order >= 0) m += 2
  }
  return common
}

/** For each pair of two sorted lists, in order, its positions in them; -1 where it is missing. */
export function* joinPairs(one: Uint32Array, other: Uint32Array): Generator<readonly [number, number]> {
  const ones = one.length / 2
  const others = other.length / 2
  for (let [n, m] = [0, 0]; n < ones || m < others;) {
    const order = m >= others ? -1 : n >= ones ? 1 : comparePairs(one, n, other.subarray(m * 2, m * 2 + 2))
    yield [order <= 0 ? n : -1, order >= 0 ? m : -1]
    if (order <= 0) n++
    if (order >= 0) m++
  }
}

/** One pair of a list. */
export function pairAt(pairs: Uint32Array, at: number): KeyWords {
  return [pairs[at * 2] ?? 0, pairs[at * 2 + 1] ?? 0]
}

/** Which is first, the pair at a place or another one: by the high word, the second one. */
function comparePairs(pairs: Uint32Array, at: number, [low = 0, high = 0]: Uint32Array): number {
  const [ownLow, ownHigh] = pairAt(pairs, at)
  return ownHigh === high ? ownLow - low : ownHigh - high
}
