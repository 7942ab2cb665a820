import type { CommitPatch, FilePatch, LineMark } from '../diff/patch.ts'
import type { Document, Owner } from './document.ts'
import { type Matcher, WITHIN } from './match.ts'
import { movedIn } from './moved.ts'

/** A line that a commit added (1-based), and whom it is from; null when nobody can tell. */
export type Attributed = { readonly at: number; readonly owner: Owner | null }

/** What can be known of the lines of a path. */
export type Evidence = {
  /** A text that stood there, as the ledger followed it. */
  readonly state: (path: string, oid: string) => Document | undefined
  /** What was written there. */
  readonly written: (path: string) => Matcher
  /** What is noted of commits that added to it. */
  readonly noted: (path: string) => Matcher
}

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
        const taken = elsewhere[n]
        return [{ at, owner: taken === undefined ? (known ?? noted) : taken }]
      })
    })
  })
}

/** The text after a commit as the ledger followed it; null when it did not, or came to another one. */
function stateOf({ path, from, after, hunks }: FilePatch, { state }: Evidence): Document | null {
  if (after === null) return null
  const known = state(path, after) ?? (from === null ? undefined : state(from, after))
  const added = hunks.flat().filter(it => it.side === 'added')
  return known && added.every(({ at, hash }) => known[at - 1]?.hash === hash) ? known : null
}

type FoundOwners = { readonly written: Owner | null; readonly noted: Owner | null }

/** Whom lines are from by what stands around them, here or where the file was before. */
export function foundIn(
  { path, from }: Pick<FilePatch, 'path' | 'from'>,
  lines: readonly LineMark[],
  { written, noted }: Evidence,
): FoundOwners[] {
  const paths = from === null ? [path] : [path, from]
  const writes = paths.map(it => written(it).find(lines, WITHIN))
  const notes = paths.map(it => noted(it).find(lines, WITHIN))
  const first = (found: typeof writes, n: number): Owner | null => found.find(it => it[n]?.owner)?.[n]?.owner ?? null
  return lines.map((_, n) => ({ written: first(writes, n), noted: first(notes, n) }))
}
