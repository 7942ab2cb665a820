import type { CommitPatch, FilePatch } from '../diff/patch.ts'
import type { Document, Owner } from './document.ts'
import { type Evidence, foundIn } from './evidence.ts'
import { movedIn } from './moved.ts'

/** A line that a commit added (1-based), and whom it is from; null when nobody can tell. */
export type Attributed = { readonly at: number; readonly owner: Owner | null }

/**
 * For each file of a commit, whom the lines are from that it added. The first that knows a line has the word: that it
 * was moved, the text as the ledger followed it, a write with the same lines around, a note on another commit.
 */
export function attribute({ files }: CommitPatch, evidence: Evidence): Attributed[][] {
  const moved = movedIn(files, evidence)
  return files.map(file => {
    const state = stateOf(file, evidence)
    return file.hunks.flatMap(hunk => {
      const after = hunk.filter(it => it.side !== 'removed')
      const elsewhere = moved(file, after)
      const found = foundIn(file, after, evidence)
      return after.flatMap(({ side, at }, n) => {
        if (side !== 'added') return []
        const { written = null, noted = null } = found[n] ?? {}
        const known = state ? (state[at - 1]?.owner ?? null) : written
        const taken = elsewhere[n] ?? null
        const isMoved = taken !== null && (!state || known === null || taken.lines >= MOVED_LINES)
        return [{ at, owner: isMoved ? taken.owner : (known ?? noted) }]
      })
    })
  })
}

// Who is known to have typed a single line that went elsewhere has typed it again.
const MOVED_LINES = 2

/** The text after a commit as the ledger followed it; null when it did not, or came to another one. */
function stateOf({ path, from, after, hunks }: FilePatch, { state }: Evidence): Document | null {
  if (after === null) return null
  const known = state(path, after) ?? (from === null ? undefined : state(from, after))
  const added = hunks.flat().filter(it => it.side === 'added')
  return known && added.every(({ at, hash }) => known[at - 1]?.hash === hash) ? known : null
}
