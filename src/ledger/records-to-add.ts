import { namesMoreAuthors } from './attributed-lines.ts'
import { classRecord, type CommitRecord, withClasses } from './commit-record.ts'
import type { ChangeClass } from './mutation-class.ts'
import { notedClasses } from './noted-classes.ts'

type NewFacts = {
  /** The record of the commit as it would be made now; none where nothing was looked for. */
  readonly record: CommitRecord | undefined
  readonly classes: ReadonlyMap<string, ChangeClass>
}

/**
 * The records that a note lacks: the new one, if it knows authors that those of the note don't, with the classes that
 * are known; and, beside records without classes, one with nothing but classes. A record that knows no author is not
 * written where there is none: in another clone it would pass for the last word on the commit.
 */
export function recordsToAdd(existing: readonly CommitRecord[], { record, classes }: NewFacts): CommitRecord[] {
  const known = notedClasses(existing)
  if (record && namesMoreAuthors(record, existing)) return [withClasses(record, new Map([...classes, ...known]))]
  const fresh = new Map([...classes].filter(([path]) => !known.has(path)))
  const noted = new Set(existing.flatMap(it => it.files.map(file => file.path)))
  const [first, ...more] = existing
  const isLacking = [...fresh.keys()].some(it => noted.has(it))
  return first && isLacking ? [classRecord([first, ...more], fresh)] : []
}
