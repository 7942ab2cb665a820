import type { CommitPatch, FilePatch } from '../git/diff/patch.ts'
import type { OwnedText, Owner } from './owned-text.ts'
import { type OwnerSources, ownersAround } from './owner-sources.ts'
import { moveFinder } from './moved-lines.ts'

/** A line that a commit added (1-based), and its owner; null when unknown. */
export type LineAttribution = { readonly at: number; readonly owner: Owner | null }

/**
 * For each file of a commit, the owners of the lines that it added. The first source that knows a line decides: a move
 * within the commit, the text as the ledger followed it, a write with the same lines around it, another commit's note.
 */
export function attributeLines({ files }: CommitPatch, evidence: OwnerSources): LineAttribution[][] {
  const moved = moveFinder(files, evidence)
  return files.map(file => {
    const followed = followedText(file, evidence)
    return file.hunks.flatMap(hunk => {
      const after = hunk.filter(it => it.side !== 'removed')
      const moves = moved(file, after)
      const found = ownersAround(file, after, evidence)
      return after.flatMap(({ side, at }, n) => {
        if (side !== 'added') return []
        const { written = null, noted = null } = found[n] ?? {}
        const known = followed ? (followed[at - 1]?.owner ?? null) : written
        const movedFrom = moves[n] ?? null
        const isMoved = movedFrom !== null && (!followed || known === null || movedFrom.lines >= MOVED_LINES)
        return [{ at, owner: isMoved ? movedFrom.owner : (known ?? noted) }]
      })
    })
  })
}

// A single moved line counts as typed again if the ledger knows who wrote it at the new position.
const MOVED_LINES = 2

/** The text after a commit as the ledger followed it; null when it did not, or has another text. */
function followedText({ path, from, after, hunks }: FilePatch, { textAt }: OwnerSources): OwnedText | null {
  if (after === null) return null
  const known = textAt(path, after) ?? (from === null ? undefined : textAt(from, after))
  const added = hunks.flat().filter(it => it.side === 'added')
  return known && added.every(({ at, hash }) => known[at - 1]?.hash === hash) ? known : null
}
