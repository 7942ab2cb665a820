import { differingPaths, type Tree } from '../rig/tree.ts'
import { treeAfter, type LedgerWrite } from '../rig/ledger-writes.ts'

/** What a tree became by what is recorded beside what it is: contents that are missing, files that are not there. */
export function compareTrees(
  base: Tree,
  written: readonly LedgerWrite[],
  disk: Tree,
): { lost: number; ghosts: number } {
  const recorded = treeAfter(base, written)
  const differing = differingPaths(recorded, disk)
  const lost = differing.filter(it => disk.has(it)).length
  return { lost, ghosts: differing.length - lost }
}

/** How many records say of a path what the record before it had said already. */
export function duplicatesIn(written: readonly LedgerWrite[]): number {
  const latest = new Map<string, string | null>()
  let count = 0
  for (const { path, from, after } of written) {
    if (latest.get(path) === after) count++
    if (from !== null) latest.set(from, null)
    latest.set(path, after)
  }
  return count
}
