import { byteLines } from '../../base/lines.ts'
import type { LineMark } from './patch.ts'

/** The lines of a text without their order: how often each occurs. Lines without letters and digits are left out. */
export type LineBag = {
  /** By the hash of the line. */
  readonly lines: ReadonlyMap<number, { readonly count: number; readonly weight: number }>
  /** The letters and digits of all lines. */
  readonly weight: number
}

/** The bag of a text's lines. White space at the ends of a line does not count, so an indented text stays similar. */
export function lineBag(bytes: Uint8Array, markOf: (line: Uint8Array) => LineMark): LineBag {
  const lines = new Map<number, { count: number; weight: number }>()
  let sum = 0
  for (const line of byteLines(bytes)) {
    const { hash, weight } = markOf(line)
    if (weight === 0) continue
    sum += weight
    const known = lines.get(hash)
    if (known) known.count++
    else lines.set(hash, { count: 1, weight })
  }
  return { lines, weight: sum }
}

/** What became of removed texts, by positions in the two lists. */
export type TextMatches = {
  /** The removed text that an added one is, by at least half; each removed text is paired once. */
  readonly pairs: ReadonlyMap<number, number>
  /** Other removed texts of which an added one has lines. */
  readonly origins: ReadonlyMap<number, readonly number[]>
}

/**
 * Finds the removed text of each added one, the most similar first. The threshold is git's own for renames, 50 % of the
 * larger text, and that for other origins is `git blame -C`'s: 40 letters and digits. Linear in the number of lines.
 */
export function matchTexts(removed: readonly LineBag[], added: readonly LineBag[]): TextMatches {
  const common = commonWeights(removed, added)
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  const similar = common.filter(it => it.weight >= SIMILAR_SHARE * largerWeight(removed[it.from], added[it.to]))
  for (const { from, to } of similar.sort((a, b) => b.weight - a.weight)) {
    if (pairs.has(to) || taken.has(from)) continue
    pairs.set(to, from)
    taken.add(from)
  }
  const origins = new Map<number, number[]>()
  for (const { from, to, weight } of common) {
    if (weight < ORIGIN_WEIGHT || pairs.get(to) === from) continue
    const known = origins.get(to) ?? []
    origins.set(to, known)
    if (known.length < ORIGINS_MAX) known.push(from)
  }
  return { pairs, origins }
}

const SIMILAR_SHARE = 0.5
const ORIGIN_WEIGHT = 40
const ORIGINS_MAX = 8

function largerWeight(one: LineBag | undefined, other: LineBag | undefined): number {
  return Math.max(one?.weight ?? 0, other?.weight ?? 0, 1)
}

type Common = { readonly from: number; readonly to: number; weight: number }

function commonWeights(removed: readonly LineBag[], added: readonly LineBag[]): Common[] {
  const holders = new Map<number, number[]>()
  removed.forEach(({ lines }, from) => {
    for (const hash of lines.keys()) {
      const known = holders.get(hash)
      if (known) known.push(from)
      else holders.set(hash, [from])
    }
  })
  return added.flatMap(({ lines }, to) => {
    const found = new Map<number, Common>()
    for (const [hash, { count, weight }] of lines) {
      const owners = holders.get(hash) ?? []
      // A line that many texts have says little, and would make the work quadratic.
      if (owners.length > HOLDERS_MAX) continue
      for (const from of owners) {
        const common = found.get(from) ?? { from, to, weight: 0 }
        common.weight += weight * Math.min(count, removed[from]?.lines.get(hash)?.count ?? 0)
        found.set(from, common)
      }
    }
    return [...found.values()]
  })
}

const HOLDERS_MAX = 16
