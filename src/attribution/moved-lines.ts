import type { FilePatch, LineMark, PatchLine } from '../git/diff/patch.ts'
import { type OwnerSources, ownersAround } from './owner-sources.ts'
import type { OwnedText, OwnedLine } from './owned-text.ts'
import { WEIGHT_BETWEEN_FILES, type LineMatch, lineMatcher, WEIGHT_WITHIN_FILE } from './line-matcher.ts'

/** For each line of a hunk, whom it is from when it was only moved there, and with how many others; else null. */
export type MoveFinder = (file: FilePatch, lines: readonly PatchLine[]) => (LineMatch | null)[]

/** Finds what a commit took away at one place and put to another, be it of another file: it is whose it was. */
export function moveFinder(files: readonly FilePatch[], evidence: OwnerSources): MoveFinder {
  const lost = new Map(files.map(file => [file, file.hunks.flatMap(hunk => removedRuns(file, hunk, evidence))]))
  const everywhere = [...lost.values()].flat()
  if (everywhere.length === 0) return (_, lines) => lines.map(() => null)
  const between = lineMatcher(everywhere)
  return (file, lines) => {
    const added = lines.map(it => (it.side === 'added' ? it : UNMATCHABLE_LINE))
    const [here, there] = [
      lineMatcher(lost.get(file) ?? []).find(added, WEIGHT_WITHIN_FILE),
      between.find(added, WEIGHT_BETWEEN_FILES),
    ]
    return lines.map((_, n) => here[n] ?? there[n] ?? null)
  }
}

// The hash of no line: what was kept was not moved.
const UNMATCHABLE_LINE: LineMark = { hash: -1, weight: 0 }

/** The lines that a hunk takes away, one after the other, with their owners. */
function removedRuns(file: FilePatch, hunk: readonly PatchLine[], evidence: OwnerSources): OwnedText[] {
  if (!hunk.some(it => it.side === 'removed')) return []
  const before = hunk.filter(it => it.side !== 'added')
  const origin = file.from ?? file.path
  const state = file.before === null ? undefined : evidence.textAt(origin, file.before)
  const found = ownersAround({ path: origin, from: null }, before, evidence)
  const runs: OwnedLine[][] = []
  let follows = false
  before.forEach(({ side, at, hash }, n) => {
    const line = state?.[at - 1]
    const { written = null, noted = null } = found[n] ?? {}
    // Of a text that is followed it is known what was written to it, and that is not looked for elsewhere.
    const owner = (line?.hash === hash ? line.owner : written) ?? noted
    if (side === 'removed' && follows) runs.at(-1)?.push({ hash, owner })
    else if (side === 'removed') runs.push([{ hash, owner }])
    follows = side === 'removed'
  })
  return runs
}
