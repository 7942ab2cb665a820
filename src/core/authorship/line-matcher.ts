import type { LineMark } from '../git/diff/patch.ts'
import type { OwnedText, Owner } from './owned-text.ts'

/** A line that was found in a document; `lines` is the length of the matching run. */
export type LineMatch = { readonly owner: Owner | null; readonly lines: number }

/** Finds lines in documents by the runs of equal lines that they belong to. */
export type LineMatcher = {
  /** True when a document has such a line. */
  readonly has: (hash: number) => boolean
  /** Adds a document, which is newer than the others. */
  readonly add: (document: OwnedText) => void
  /** For each line of a text its match, or null. A run must have at least the weight `least`. */
  readonly find: (lines: readonly LineMark[], least: number) => (LineMatch | null)[]
}

/**
 * The least weight of a matching run, in letters and digits: git's own thresholds for lines that were moved within a
 * file (`git blame -M`: 20) and between files (`-C`: 40). A lone brace matches nothing.
 */
export const WEIGHT_WITHIN_FILE = 20
export const WEIGHT_BETWEEN_FILES = 40

/** A matcher for some documents, of which the last is the newest. */
export function lineMatcher(documents: readonly OwnedText[]): LineMatcher {
  const positions = new Map<number, LinePosition[]>()
  const add = (document: OwnedText): void =>
    document.forEach(({ hash }, at) => {
      if (hash === null) return
      const known = positions.get(hash)
      if (known) known.push({ document, at })
      else positions.set(hash, [{ document, at }])
    })
  documents.forEach(add)
  return { add, has: hash => positions.has(hash), find: (lines, least) => matchLines(positions, lines, least) }
}

type LinePosition = { readonly document: OwnedText; readonly at: number }

/** A run: lines `from` (inclusive) to `to` (exclusive) equal the document's lines at an offset of `shift`. */
type MatchingRun = { readonly from: number; readonly to: number; readonly weight: number; readonly shift: number } & {
  readonly document: OwnedText
}

function matchLines(places: ReadonlyMap<number, readonly LinePosition[]>, lines: readonly LineMark[], least: number) {
  const best: (MatchingRun | null)[] = lines.map(() => null)
  const reached = new Map<OwnedText, Map<number, number>>()
  lines.forEach(({ hash, weight }, n) => {
    if (weight === 0) return
    // A line that occurs very often is weak evidence, so only its newest positions are tried.
    for (const { document, at } of (places.get(hash) ?? []).slice(-POSITIONS_MAX)) {
      const ends = reached.get(document) ?? new Map<number, number>()
      reached.set(document, ends)
      if (n < (ends.get(at - n) ?? 0)) continue
      const run = runAround(lines, n, { document, at })
      ends.set(run.shift, run.to)
      if (run.weight < least || isLone(run)) continue
      for (let line = run.from; line < run.to; line++) if (isBetter(run, best[line])) best[line] = run
    }
  })
  return best.map((run, n): LineMatch | null => {
    return run && { owner: run.document[n + run.shift]?.owner ?? null, lines: run.to - run.from }
  })
}

const POSITIONS_MAX = 64

// A single line is weak evidence, unless it is the whole document.
function isLone({ from, to, document }: MatchingRun): boolean {
  return to - from === 1 && document.length > 1
}

function runAround(lines: readonly LineMark[], n: number, { document, at }: LinePosition): MatchingRun {
  const shift = at - n
  const isSame = (line: number): boolean => {
    const hash = lines[line]?.hash
    return hash !== undefined && document[line + shift]?.hash === hash
  }
  let from = n
  let to = n + 1
  while (isSame(from - 1)) from--
  while (isSame(to)) to++
  let weight = 0
  for (let line = from; line < to; line++) weight += lines[line]?.weight ?? 0
  return { from, to, weight, shift, document }
}

// Of two runs of equal weight the newer wins; they come oldest first.
function isBetter(run: MatchingRun, held: MatchingRun | null | undefined): boolean {
  return !held || run.weight > held.weight || (run.weight === held.weight && run.to - run.from >= held.to - held.from)
}
