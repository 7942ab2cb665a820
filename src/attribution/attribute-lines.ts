import type { CommitPatch, FilePatch } from '../git/diff/patch.ts'
import type { OwnedText, Owner } from './owned-text.ts'
import { type OwnerSources, ownersAround } from './owner-sources.ts'
import { moveFinder } from './moved-lines.ts'

/** A line that a commit added (1-based), and whom it is from; null when nobody can tell. */
export type LineAttribution = { readonly at: number; readonly owner: Owner | null }

/**
 * For each file of a commit, whom the lines are from that it added. The first that knows a line has the word: that it
 * was moved, the text as the ledger followed it, a write with the same lines around, a note on another commit.
 */
export function attributeLines({ files }: CommitPatch, evidence: OwnerSources): LineAttribution[][] {
  const moved = moveFinder(files, evidence)
  return files.map(file => {
    const state = followedText(file, evidence)
    return file.hunks.flatMap(hunk => {
      const after = hunk.filter(it => it.side !== 'removed')
      const elsewhere = moved(file, after)
      const found = ownersAround(file, after, evidence)
      return after.flatMap(({ side, at }, n) => {
        if (side !== 'added') return []
        const { written = null, noted = null } = found[n] ?? {}
        const known = state ? (state[at - 1]?.owner ?? null) : written
        const movedFrom = elsewhere[n] ?? null
        const isMoved = movedFrom !== null && (!state || known === null || movedFrom.lines >= MOVED_LINES)
        return [{ at, owner: isMoved ? movedFrom.owner : (known ?? noted) }]
      })
    })
  })
}

// Who is known to have typed a single line that went elsewhere has typed it again.
const MOVED_LINES = 2

/** The text after a commit as the ledger followed it; null when it did not, or came to another one. */
function followedText({ path, from, after, hunks }: FilePatch, { textAt: state }: OwnerSources): OwnedText | null {
  if (after === null) return null
  const known = state(path, after) ?? (from === null ? undefined : state(from, after))
  const added = hunks.flat().filter(it => it.side === 'added')
  return known && added.every(({ at, hash }) => known[at - 1]?.hash === hash) ? known : null
}
