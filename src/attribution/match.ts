import type { LineMark } from '../diff/patch.ts'
import type { Document, Owner } from './document.ts'

/** A line that was found in a document, in a run of so many lines. */
export type Found = { readonly owner: Owner | null; readonly lines: number }

/** Finds lines again by what stands around them. */
export type Matcher = {
  /** True when a document has such a line. */
  readonly knows: (hash: number) => boolean
  /** Makes ready to find the lines of one more document, which is newer than the others. */
  readonly add: (document: Document) => void
  /** For each line of a text, where it is known from; null where it is not. A run must have the weight `least`. */
  readonly find: (lines: readonly LineMark[], least: number) => (Found | null)[]
}

/**
 * A run of lines is taken for the same when it has as many letters and digits as git asks of lines that were moved
 * within a file (`git blame -M`: 20) or between files (`-C`: 40). A lone brace is nobody's.
 */
export const WITHIN = 20
export const BETWEEN = 40

/** Makes ready to find lines of some documents, of which the last is the newest. */
export function matcherOf(documents: readonly Document[]): Matcher {
  const places = new Map<number, Place[]>()
  const add = (document: Document): void =>
    document.forEach(({ hash }, at) => {
      if (hash === null) return
      const known = places.get(hash)
      if (known) known.push({ document, at })
      else places.set(hash, [{ document, at }])
    })
  documents.forEach(add)
  return { add, knows: hash => places.has(hash), find: (lines, least) => foundIn(places, lines, least) }
}

type Place = { readonly document: Document; readonly at: number }

/** Lines `from` to before `to` stand in a document one after the other, shifted by `shift`. */
type Run = { readonly from: number; readonly to: number; readonly weight: number; readonly shift: number } & {
  readonly document: Document
}

function foundIn(places: ReadonlyMap<number, readonly Place[]>, lines: readonly LineMark[], least: number) {
  const best: (Run | null)[] = lines.map(() => null)
  const reached = new Map<Document, Map<number, number>>()
  lines.forEach(({ hash, weight }, n) => {
    if (weight === 0) return
    // What stands everywhere says nothing; the newest will do.
    for (const { document, at } of (places.get(hash) ?? []).slice(-PLACES_MAX)) {
      const ends = reached.get(document) ?? new Map<number, number>()
      reached.set(document, ends)
      if (n < (ends.get(at - n) ?? 0)) continue
      const run = runAround(lines, n, { document, at })
      ends.set(run.shift, run.to)
      if (run.weight < least || isLone(run)) continue
      for (let line = run.from; line < run.to; line++) if (isBetter(run, best[line])) best[line] = run
    }
  })
  return best.map((run, n): Found | null => {
    return run && { owner: run.document[n + run.shift]?.owner ?? null, lines: run.to - run.from }
  })
}

const PLACES_MAX = 64

// One line says little of where it is from, unless it is all that there was.
function isLone({ from, to, document }: Run): boolean {
  return to - from === 1 && document.length > 1
}

function runAround(lines: readonly LineMark[], n: number, { document, at }: Place): Run {
  const shift = at - n
  const isSame = (line: number): boolean => {
    const hash = lines[line]?.hash
    return hash !== undefined && document[line + shift]?.hash === hash
  }
  let [from, to] = [n, n + 1]
  while (isSame(from - 1)) from--
  while (isSame(to)) to++
  let weight = 0
  for (let line = from; line < to; line++) weight += lines[line]?.weight ?? 0
  return { from, to, weight, shift, document }
}

// Of two as heavy ones the newer is held for true; they come oldest first.
function isBetter(run: Run, held: Run | null | undefined): boolean {
  return !held || run.weight > held.weight || (run.weight === held.weight && run.to - run.from >= held.to - held.from)
}
