import { join } from 'node:path'
import { blobOid } from '../git/blob-oid.ts'
import { blameArgs, type BlameChunk, type GitAuthor, parseBlame } from '../git/blame.ts'
import { byteLines } from '../text/lines.ts'
import { type FilePatch, lineMarker } from '../git/diff/patch.ts'
import { loadHasher } from '../io/files/hasher.ts'
import type { Authorship, CommitRecord } from '../ledger/commit-record.ts'
import { notedRanges } from '../ledger/note.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { commitsBetween } from './commit-queries.ts'
import { commitsBeforeNotes } from './annotate-commits.ts'
import { citedIntents } from './cited-intents.ts'
import { findNoteRecords, type NotesPrefetch, readNoteRecords } from './notes.ts'
import type { Git } from '../io/git/git.ts'

/** A line of a file (1-based), and its author. */
export type BlamedLine = {
  readonly line: number
  /** Null for a line that is not committed. */
  readonly commit: string | null
  /** The author of that commit; null for a line that is not committed. */
  readonly by: GitAuthor | null
  readonly author: Authorship
  /** The record that names the author. */
  readonly record: string | null
  /** The source: the commit's note; the same content in notes and ledger; the ledger, for an uncommitted line; none. */
  readonly how: 'note' | 'content' | 'working' | 'none'
}

/** A file to blame, for which git has already been started. */
export type BlameTarget = BlameRequest & {
  readonly path: string
  readonly pendingBlame: Promise<readonly BlameChunk[]>
  /** Resolves when the notes are up to date: true when some had to be written. */
  readonly notesWritten: Promise<boolean>
  /** Notes that are already being read. */
  readonly prefetchedNotes: NotesPrefetch | null
}

/** The authors of the lines of a file. */
export async function blame(workspace: Workspace, subject: BlameTarget): Promise<BlamedLine[]> {
  const [blamed, isNew] = await Promise.all([blamedRanges(workspace, subject), subject.notesWritten])
  const commits = [...new Set(blamed.map(it => it.commit))].filter(it => !UNCOMMITTED_OID.test(it))
  const noted = await (isNew || !subject.prefetchedNotes
    ? readNoteRecords(workspace, commits)
    : subject.prefetchedNotes.recordsOn(commits))
  const unnoted = commits.filter(it => !noted.has(it))
  const missing = await buildMissingRecords(workspace, unnoted)
  const known = lineAuthorLookup(noted, missing)
  const lines = blamed.flatMap(entry => linesOfBlamed(entry, known)).sort((one, other) => one.line - other.line)
  return withCitedIntents(workspace, subject.path, await withUncommittedAuthors(workspace, subject.path, lines))
}

// A commit says for itself which intent it is for, whether or not a note on it is here.
async function withCitedIntents(
  workspace: Workspace,
  path: string,
  lines: readonly BlamedLine[],
): Promise<BlamedLine[]> {
  const unknown = lines.flatMap(it => (it.commit !== null && it.author.intent === null ? [it.commit] : []))
  const intentOf = await citedIntents(workspace, [...new Set(unknown)])
  return lines.map(it => {
    if (it.commit === null || it.author.intent !== null) return it
    return { ...it, author: { ...it.author, intent: intentOf(it.commit, path) } }
  })
}

/** As `blame`, for a file by its path in the repository, when its notes are up to date. */
export function blamePath(workspace: Workspace, { path, revision }: { path: string; revision: string | null }) {
  const request = { file: join(workspace.root, path), revision, ranges: [] }
  const pendingBlame = startBlame(workspace.git, request)
  return blame(workspace, {
    ...request,
    path,
    pendingBlame,
    notesWritten: Promise.resolve(false),
    prefetchedNotes: null,
  })
}

type LineAuthor = Pick<BlamedLine, 'author' | 'record' | 'how'>
type LineAuthorLookup = (commit: string, path: string) => ReadonlyMap<number, LineAuthor>

const UNKNOWN_AUTHORSHIP: Authorship = {
  contributor: { type: 'unknown' },
  session: null,
  intent: null,
  attribution: 'unknown',
}
const UNKNOWN_AUTHOR: LineAuthor = { author: UNKNOWN_AUTHORSHIP, record: null, how: 'none' }
const UNCOMMITTED_OID = /^0+$/

function linesOfBlamed({ commit, path, origin, at, lines, by }: BlameChunk, known: LineAuthorLookup): BlamedLine[] {
  return Array.from({ length: lines }, (_, n) => {
    if (UNCOMMITTED_OID.test(commit)) return { line: at + n, commit: null, by: null, ...UNKNOWN_AUTHOR }
    return { line: at + n, commit, by, ...(known(commit, path).get(origin + n) ?? UNKNOWN_AUTHOR) }
  })
}

type RecordsByCommit = ReadonlyMap<string, readonly CommitRecord[]>

/** Answers the author of each line by the commit's note; without one, by the record made for it. */
function lineAuthorLookup(noted: RecordsByCommit, made: RecordsByCommit): LineAuthorLookup {
  const known = new Map<string, ReadonlyMap<number, LineAuthor>>()
  return (commit, path) => {
    const key = `${commit} ${path}`
    const own = made.get(commit)
    const authors = known.get(key) ?? authorsByLine(own ?? noted.get(commit) ?? [], path, own ? 'content' : 'note')
    known.set(key, authors)
    return authors
  }
}

async function blamedRanges(workspace: Workspace, subject: BlameTarget): Promise<readonly BlameChunk[]> {
  const { git, files, root } = workspace
  const { path, revision, ranges } = subject
  try {
    return await subject.pendingBlame
  } catch (thrown) {
    const bytes = revision === null ? await files.read(join(root, path)).catch(() => null) : null
    // Git does not blame a file that is not in HEAD: all its lines are uncommitted.
    const isNew = bytes && (await git.tryAsk({ args: ['cat-file', '-e', `HEAD:${path}`], parse: () => true })) === null
    if (!isNew || ranges.length > 0) throw blameError(path, thrown)
    return [{ commit: '0', path, origin: 1, at: 1, lines: byteLines(bytes).length, by: { name: '', at: 0 } }]
  }
}

// Git's own message names the reason: no such path, or the number of lines.
function blameError(path: string, thrown: unknown): KotefError {
  const [, why = 'git does not know it'] = /\bfatal: (.+)$/m.exec(String(thrown)) ?? []
  return new KotefError('usage', `${printable(path)} can't be blamed: ${why}.`, { cause: thrown })
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

/** Builds the records of commits without a note; commits older than the ledger have none. */
async function buildMissingRecords(workspace: Workspace, commits: readonly string[]): Promise<RecordsByCommit> {
  const starts = commits.length === 0 ? null : await commitsBeforeNotes(workspace)
  if (starts === null) return new Map()
  const wanted = new Set(commits.filter(it => !starts.includes(it)))
  if (wanted.size === 0) return new Map()
  const recent = (await workspace.git.ask(commitsBetween([...wanted], starts))).filter(it => wanted.has(it))
  // Loaded here, because there is seldom something to build and the module is slow to load.
  const { buildCommitRecords } = await import('./commit-records.ts')
  const made = await buildCommitRecords(workspace, recent, await loadHasher())
  return new Map([...made].map(([commit, record]) => [commit, [record]]))
}

/** The same lines; those that are not committed with the author that the ledger has. */
async function withUncommittedAuthors(
  workspace: Workspace,
  path: string,
  lines: readonly BlamedLine[],
): Promise<BlamedLine[]> {
  if (lines.every(it => it.commit !== null)) return [...lines]
  const bytes = await workspace.files.read(join(workspace.root, path))
  if (!bytes) throw new KotefError('usage', `${path} does not exist any more.`)
  const { attributeLines } = await import('../attribution/attribute-lines.ts')
  const { loadAttributionSources } = await import('./attribution-sources.ts')
  const hasher = await loadHasher()
  const fresh = new Set(lines.filter(it => it.commit === null).map(it => it.line))
  const mark = lineMarker(hasher.xxh32)
  const hunk = byteLines(bytes).map((line, n) => ({
    ...mark(line),
    bytes: line,
    at: n + 1,
    side: fresh.has(n + 1) ? ('added' as const) : ('kept' as const),
  }))
  const file: FilePatch = { path, from: null, before: null, after: blobOid(bytes), hunks: [hunk] }
  const evidence = await loadAttributionSources(workspace, new Set([path]), hasher)
  const [attributed = []] = attributeLines({ commit: '', files: [file] }, evidence)
  const isClear = attributed.every(it => it.owner)
  const notes = isClear ? [] : await findNoteRecords(workspace, [path])
  const [clearer = []] = isClear
    ? [attributed]
    : attributeLines({ commit: '', files: [file] }, evidence.withNotes(notes))
  const owners = new Map(clearer.map(it => [it.at, it.owner]))
  return lines.map(it => {
    const owner = it.commit === null ? owners.get(it.line) : null
    if (!owner) return it
    const { record, ...author } = owner
    return { ...it, author, record, how: 'working' as const }
  })
}

/** The lines to blame: an absolute path without symbolic links; a commit, or null for the file on disk. */
export type BlameRequest = {
  readonly file: string
  readonly revision: string | null
  /** As for git's -L. */
  readonly ranges: readonly string[]
}

/** Starts git on the history of a file. The promise rejects when git fails. */
export function startBlame(git: Pick<Git, 'bytes'>, { file, ...wish }: BlameRequest): Promise<readonly BlameChunk[]> {
  const blamed = git.bytes(blameArgs(file, wish)).then(it => parseBlame(it.toString('utf8')))
  blamed.catch(() => {})
  return blamed
}
