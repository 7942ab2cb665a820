import type { CommitRecord } from './commit-record.ts'
import {
  type ChangeClass,
  changeClassIn,
  MUTATION_CLASSES,
  type MutationClass,
  strongerClass,
} from './mutation-class.ts'

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

type NotedFiles = readonly Pick<CommitRecord, 'files'>[]

/** How many changed files of some commits have each class, given the records of each; `counts` chooses the paths. */
export function countClasses(
  notes: Iterable<NotedFiles>,
  counts: (path: string) => boolean,
): Partial<Record<MutationClass, number>> {
  const found: MutationClass[] = []
  for (const records of notes)
    for (const [path, { mutation_class }] of notedClasses(records)) if (counts(path)) found.push(mutation_class)
  const sums = MUTATION_CLASSES.map(it => [it, found.filter(one => one === it).length] as const)
  return Object.fromEntries(sums.filter(([, count]) => count > 0))
}

/** The classes that some records name, each once, in a fixed order. */
export function classNames(classes: Iterable<ChangeClass>): MutationClass[] {
  const found = new Set([...classes].map(it => it.mutation_class))
  return MUTATION_CLASSES.filter(it => found.has(it))
}
