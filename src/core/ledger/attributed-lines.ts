import type { CommitRecord } from './commit-record.ts'

type NotedFiles = readonly Pick<CommitRecord, 'files'>[]

/** True when a record names the author of a line of which the other records don't name one. */
export function namesMoreAuthors(record: Pick<CommitRecord, 'files'>, others: NotedFiles): boolean {
  const known = attributedLines(others).known
  return [...attributedLines([record]).known].some(it => !known.has(it))
}

/** True when no record names the author of some noted line, and when there is no record. */
export function isAnyAuthorUnknown(records: NotedFiles): boolean {
  const { known, all } = attributedLines(records)
  return records.length === 0 || known.size < all.size
}

/** The paths of some records with a line whose author is known. */
export function attributedPaths(records: NotedFiles): string[] {
  const files = records.flatMap(it => it.files)
  return files.filter(it => it.conversations.some(hasAuthor)).map(it => it.path)
}

function attributedLines(records: NotedFiles): { known: ReadonlySet<string>; all: ReadonlySet<string> } {
  const known = new Set<string>()
  const all = new Set<string>()
  for (const { path, conversations } of records.flatMap(it => it.files)) {
    for (const it of conversations) {
      for (const { start_line, end_line } of it.ranges) {
        for (let line = start_line; line <= end_line; line++) {
          all.add(`${line} ${path}`)
          if (hasAuthor(it)) known.add(`${line} ${path}`)
        }
      }
    }
  }
  return { known, all }
}

function hasAuthor({ contributor }: CommitRecord['files'][number]['conversations'][number]): boolean {
  return contributor.type !== 'unknown'
}
