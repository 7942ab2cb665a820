import type { FilePatch, LineMark } from '../diff/patch.ts'
import type { Document, Owner } from './document.ts'
import { type Matcher, WITHIN } from './match.ts'

/** What can be known of the lines of a path. */
export type Evidence = {
  /** A text that stood there, as the ledger followed it. */
  readonly state: (path: string, oid: string) => Document | undefined
  /** What was written there. */
  readonly written: (path: string) => Matcher
  /** What is noted of commits that added to it. */
  readonly noted: (path: string) => Matcher
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
