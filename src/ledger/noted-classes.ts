import type { CommitRecord } from './commit-record.ts'
import { type ChangeClass, changeClassIn, strongerClass } from './mutation-class.ts'

/** The classes of the changes of commits: by the commit's oid, and by path. */
export type CommitClasses = ReadonlyMap<string, ReadonlyMap<string, ChangeClass>>

/** The class of each path of which the records of a commit have one, in whichever order they are. */
export function notedClasses(records: readonly Pick<CommitRecord, 'files'>[]): Map<string, ChangeClass> {
  const classes = new Map<string, ChangeClass>()
  for (const { path, kotef } of records.flatMap(it => it.files)) {
    const found = changeClassIn(kotef)
    const known = classes.get(path)
    if (found) classes.set(path, known ? strongerClass(known, found) : found)
  }
  return classes
}
