import type { FilePatch, LineMark, PatchLine } from '../diff/patch.ts'
import { type Evidence, foundIn } from './evidence.ts'
import type { Document, OwnedLine } from './document.ts'
import { BETWEEN, type Found, matcherOf, WITHIN } from './match.ts'

/** For each line of a hunk, whom it is from when it was only moved there, and with how many others; else null. */
export type Moved = (file: FilePatch, lines: readonly PatchLine[]) => (Found | null)[]

/** Finds what a commit took away at one place and put to another, be it of another file: it is whose it was. */
export function movedIn(files: readonly FilePatch[], evidence: Evidence): Moved {
  const lost = new Map(files.map(file => [file, file.hunks.flatMap(hunk => lostIn(file, hunk, evidence))]))
  const everywhere = [...lost.values()].flat()
  if (everywhere.length === 0) return (_, lines) => lines.map(() => null)
  const between = matcherOf(everywhere)
  return (file, lines) => {
    const added = lines.map(it => (it.side === 'added' ? it : NOTHING))
    const [here, there] = [matcherOf(lost.get(file) ?? []).find(added, WITHIN), between.find(added, BETWEEN)]
    return lines.map((_, n) => here[n] ?? there[n] ?? null)
  }
}

// The hash of no line: what was kept was not moved.
const NOTHING: LineMark = { hash: -1, weight: 0 }

/** The lines that a hunk takes away, one after the other, with their owners. */
function lostIn(file: FilePatch, hunk: readonly PatchLine[], evidence: Evidence): Document[] {
  if (!hunk.some(it => it.side === 'removed')) return []
  const before = hunk.filter(it => it.side !== 'added')
  const origin = file.from ?? file.path
  const state = file.before === null ? undefined : evidence.state(origin, file.before)
  const found = foundIn({ path: origin, from: null }, before, evidence)
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
