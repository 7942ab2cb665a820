import type { FilePatch, LineMark, PatchLine } from '../git/diff/patch.ts'
import { type OwnerSources, ownersAround } from './owner-sources.ts'
import type { OwnedText, OwnedLine } from './owned-text.ts'
import {
  WEIGHT_BETWEEN_FILES,
  type LineMatch,
  type LineMatcher,
  lineMatcher,
  WEIGHT_WITHIN_FILE,
} from './line-matcher.ts'

/** For each line of a hunk its match among the removed lines, if it was moved; else null. */
export type MoveFinder = (file: FilePatch, lines: readonly PatchLine[]) => (LineMatch | null)[]

/** Finds lines that a commit moved within a file or to another file: they keep their owners. */
export function moveFinder(files: readonly FilePatch[], evidence: OwnerSources): MoveFinder {
  const removed = new Map(files.map(file => [file, file.hunks.flatMap(hunk => removedRuns(file, hunk, evidence))]))
  const allRemoved = [...removed.values()].flat()
  if (allRemoved.length === 0) return (_, lines) => lines.map(() => null)
  const betweenFiles = lineMatcher(allRemoved)
  // Made once for all hunks of a file, of which there may be tens of thousands.
  const withinFiles = new Map<FilePatch, LineMatcher>()
  return (file, lines) => {
    const added = lines.map(it => (it.side === 'added' ? it : UNMATCHABLE_LINE))
    const within = withinFiles.get(file) ?? lineMatcher(removed.get(file) ?? [])
    withinFiles.set(file, within)
    const here = within.find(added, WEIGHT_WITHIN_FILE)
    const there = betweenFiles.find(added, WEIGHT_BETWEEN_FILES)
    return lines.map((_, n) => here[n] ?? there[n] ?? null)
  }
}

// A kept line was not moved. No line has the hash -1.
const UNMATCHABLE_LINE: LineMark = { hash: -1, weight: 0 }

/** The runs of lines that a hunk removes, with their owners. */
function removedRuns(file: FilePatch, hunk: readonly PatchLine[], evidence: OwnerSources): OwnedText[] {
  if (!hunk.some(it => it.side === 'removed')) return []
  const before = hunk.filter(it => it.side !== 'added')
  const origin = file.from ?? file.path
  const knownText = file.before === null ? undefined : evidence.textAt(origin, file.before)
  const found = ownersAround({ path: origin, from: null }, before, evidence)
  const runs: OwnedLine[][] = []
  let follows = false
  before.forEach(({ side, at, hash }, n) => {
    const line = knownText?.[at - 1]
    const { written = null, noted = null } = found[n] ?? {}
    // The owner in a followed text is certain, so it comes before a match by the lines around.
    const owner = (line?.hash === hash ? line.owner : written) ?? noted
    if (side === 'removed' && follows) runs.at(-1)?.push({ hash, owner })
    else if (side === 'removed') runs.push([{ hash, owner }])
    follows = side === 'removed'
  })
  return runs
}
