import { namesMoreAuthors } from './attributed-lines.ts'
import { classRecord, type CommitRecord, withClasses } from './commit-record.ts'
import type { ChangeClass } from './mutation-class.ts'
import { notedClasses } from './noted-classes.ts'

type NewFacts = {
  /** The record of the commit as it would be made now; none where nothing was looked for. */
  readonly record: CommitRecord | undefined
  readonly classes: ReadonlyMap<string, ChangeClass>
  /** The writer of the ledger of this worktree. */
  readonly writer: string | null
}

/**
 * The records that a note lacks: the new one, if it knows authors that those of the note don't, with the classes that
 * are known; and, beside own records without classes, one with nothing but classes. A record that knows no author is
 * not written where there is none: in another clone it would pass for the last word on the commit.
 */
export function recordsToAdd(existing: readonly CommitRecord[], { record, classes, writer }: NewFacts): CommitRecord[] {
  const known = notedClasses(existing)
  if (record && namesMoreAuthors(record, existing)) return [withClasses(record, new Map([...classes, ...known]))]
  const noted = new Set(existing.flatMap(it => it.files.map(file => file.path)))
  // A further record that says of nothing what it is would only be read.
  const isFresh = ([path, it]: readonly [string, ChangeClass]) =>
    noted.has(path) && !known.has(path) && it.mutation_class !== 'UNKNOWN'
  const fresh = new Map([...classes].filter(isFresh))
  const [first, ...more] = existing
  return first && fresh.size > 0 && mayGetClasses(existing, writer) ? [classRecord([first, ...more], fresh)] : []
}

/** True for a commit without records, and with one of this worktree: each clone adds the classes to its own notes. */
export function mayGetClasses(existing: readonly CommitRecord[], writer: string | null): boolean {
  return existing.length === 0 || existing.some(it => it.metadata['dev.kotef'].head?.writer === writer)
}
