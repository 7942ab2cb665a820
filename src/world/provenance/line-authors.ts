import { loadHasher } from '../io/files/hasher.ts'
import type { Authorship, CommitRecord } from '../../core/ledger/commit-record.ts'
import { notedRanges } from '../../core/ledger/note.ts'
import type { Evidence } from '../../core/report/certainty.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitsLookedAt } from './annotation-state.ts'
import { commitsBetween } from './commit-queries.ts'

/** The author of a line that a commit added. */
export type LineAuthor = {
  readonly author: Authorship
  /** The record that names the author. */
  readonly record: string | null
  /** The source: the commit's note; the same content in notes and ledger; the ledger, for an uncommitted line; none. */
  readonly how: Evidence
}

const UNKNOWN_AUTHORSHIP: Authorship = {
  contributor: { type: 'unknown' },
  session: null,
  intent: null,
  attribution: 'unknown',
}
export const UNKNOWN_AUTHOR: LineAuthor = { author: UNKNOWN_AUTHORSHIP, record: null, how: 'none' }

type RecordsByCommit = ReadonlyMap<string, readonly CommitRecord[]>

/** Answers the authors of the lines that a commit added to a path, by the number of the line. */
export type LineAuthorLookup = (commit: string, path: string) => ReadonlyMap<number, LineAuthor>

type KnownOfCommits = {
  readonly noted: RecordsByCommit
  /** A commit that has all of them in its history; null where none is known. */
  readonly tip?: string | null
}

/** Loads the authors of the lines of some commits: by their notes, else by records made here, which are not kept. */
export async function loadLineAuthors(
  workspace: Workspace,
  commits: readonly string[],
  { noted, tip = null }: KnownOfCommits,
): Promise<LineAuthorLookup> {
  const unnoted = commits.filter(it => !noted.has(it))
  const made = await buildMissingRecords(workspace, unnoted, tip)
  const known = new Map<string, ReadonlyMap<number, LineAuthor>>()
  return (commit, path) => {
    const key = `${commit} ${path}`
    const own = made.get(commit)
    const authors = known.get(key) ?? authorsByLine(own ?? noted.get(commit) ?? [], path, own ? 'content' : 'note')
    known.set(key, authors)
    return authors
  }
}

/** The author of each line of a path, by some records. */
function authorsByLine(
  records: readonly CommitRecord[],
  path: string,
  how: 'note' | 'content',
): Map<number, LineAuthor> {
  const authors = new Map<number, LineAuthor>()
  for (const { range, author, record } of notedRanges(records, path)) {
    for (let line = range.start_line; line <= range.end_line; line++) authors.set(line, { author, record, how })
  }
  return authors
}

/** Builds the records of commits without a note. Those older than the ledger, and those looked at before, have none. */
async function buildMissingRecords(
  workspace: Workspace,
  commits: readonly string[],
  tip: string | null,
): Promise<RecordsByCommit> {
  const starts = commits.length === 0 ? null : await commitsLookedAt(workspace)
  // Git would walk the history down to the oldest of them, to find none.
  if (starts === null || (tip !== null && starts.includes(tip))) return new Map()
  const wanted = new Set(commits.filter(it => !starts.includes(it)))
  if (wanted.size === 0) return new Map()
  const recent = (await workspace.git.ask(commitsBetween([...wanted], starts))).filter(it => wanted.has(it))
  // Loaded here, because there is seldom something to build and the module is slow to load.
  const { buildCommitRecords } = await import('./commit-records.ts')
  const made = await buildCommitRecords(workspace, recent, await loadHasher())
  return new Map([...made].map(([commit, record]) => [commit, [record]]))
}
