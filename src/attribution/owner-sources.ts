import type { FilePatch, LineMark } from '../git/diff/patch.ts'
import type { OwnedText, Owner } from './owned-text.ts'
import { type LineMatcher, WEIGHT_WITHIN_FILE } from './line-matcher.ts'

/** What can be known of the lines of a path. */
export type OwnerSources = {
  /** A text that stood there, as the ledger followed it. */
  readonly textAt: (path: string, oid: string) => OwnedText | undefined
  /** What was written there. */
  readonly writesTo: (path: string) => LineMatcher
  /** What is noted of commits that added to it. */
  readonly notesOn: (path: string) => LineMatcher
}

type OwnersAround = { readonly written: Owner | null; readonly noted: Owner | null }

/** Whom lines are from by what stands around them, here or where the file was before. */
export function ownersAround(
  { path, from }: Pick<FilePatch, 'path' | 'from'>,
  lines: readonly LineMark[],
  { writesTo: written, notesOn: noted }: OwnerSources,
): OwnersAround[] {
  const paths = from === null ? [path] : [path, from]
  const writes = paths.map(it => written(it).find(lines, WEIGHT_WITHIN_FILE))
  const notes = paths.map(it => noted(it).find(lines, WEIGHT_WITHIN_FILE))
  const first = (found: typeof writes, n: number): Owner | null => found.find(it => it[n]?.owner)?.[n]?.owner ?? null
  return lines.map((_, n) => ({ written: first(writes, n), noted: first(notes, n) }))
}
