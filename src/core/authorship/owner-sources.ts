import type { FilePatch, LineMark } from '../git/diff/patch.ts'
import type { OwnedText, Owner } from './owned-text.ts'
import { type LineMatcher, WEIGHT_WITHIN_FILE } from './line-matcher.ts'

/** The sources for the owners of a path's lines. */
export type OwnerSources = {
  /** A text of the path, by its blob's oid, as the ledger followed it. */
  readonly textAt: (path: string, oid: string) => OwnedText | undefined
  /** The lines of all recorded writes to the path. */
  readonly writesTo: (path: string) => LineMatcher
  /** The lines of the path in notes on other commits. */
  readonly notesOn: (path: string) => LineMatcher
}

type OwnersAround = { readonly written: Owner | null; readonly noted: Owner | null }

/** The owners of lines by the lines around them, under the path and its old path. */
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
