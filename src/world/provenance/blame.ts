import { join } from 'node:path'
import type { BlameChunk } from '../../core/git/blame.ts'
import { byteLines } from '../../core/base/lines.ts'
import { KotefError } from '../../core/base/failure.ts'
import { type CommitClasses, notedClasses } from '../../core/ledger/noted-classes.ts'
import { printable } from '../../core/base/printable.ts'
import { readHead } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type CitedIntentLookup, citedIntents } from './cited-intents.ts'
import { type LineAuthorLookup, loadLineAuthors, UNKNOWN_AUTHOR } from './line-authors.ts'
import { type NotesPrefetch, readNoteRecords } from '../ledger/notes.ts'
import { type BlameRequest, startBlame } from '../io/git/start-blame.ts'
import { throughFormats } from '../ledger/through-formats.ts'
import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import { withUncommittedAuthors } from './uncommitted-lines.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import type { BlamedLine } from './blamed-line.ts'

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
  const { path } = subject
  const [first, isNew] = await Promise.all([blamedRanges(workspace, subject), subject.notesWritten])
  const noted = new Map<string, readonly CommitRecord[]>()
  const recordsOn = async (commits: readonly string[]) => {
    const isPrefetched = !isNew && noted.size === 0 && subject.prefetchedNotes
    const found = await (isPrefetched ? isPrefetched.recordsOn(commits) : readNoteRecords(workspace, commits))
    for (const [commit, records] of found) noted.set(commit, records)
    return found
  }
  const blamed =
    (
      await throughFormats(new Map([[path, first]]), {
        recordsOn,
        again: (_, ignored) => startBlame(workspace.git, { ...subject, ignored }),
      })
    ).get(path) ?? first
  const commits = [...new Set(blamed.map(it => it.commit))].filter(it => !UNCOMMITTED_OID.test(it))
  const tip = subject.revision === null ? await readHead(workspace) : null
  const known = await loadLineAuthors(workspace, commits, { noted, tip })
  const classes = new Map([...noted].map(([commit, records]) => [commit, notedClasses(records)]))
  const lines = linesOfChunks(blamed, { known, classes })
  return withCitedIntents(workspace, subject.path, await withUncommittedAuthors(workspace, subject.path, lines))
}

// A commit says for itself which intent it is for, whether or not a note on it is here.
async function withCitedIntents(
  workspace: Workspace,
  path: string,
  lines: readonly BlamedLine[],
): Promise<BlamedLine[]> {
  const intentOf = await citedIntents(workspace, [...new Set(lines.flatMap(it => it.commit ?? []))])
  return withIntents(lines, path, intentOf)
}

/** The lines of a path with the intents of their commits. */
export function withIntents(lines: readonly BlamedLine[], path: string, intentOf: CitedIntentLookup): BlamedLine[] {
  return lines.map(it => {
    if (it.commit === null) return it
    const { intent, either } = intentOf(it.commit, path, it.author.intent)
    const line = intent === it.author.intent ? it : { ...it, author: { ...it.author, intent } }
    return either ? { ...line, either } : line
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

const UNCOMMITTED_OID = /^0+$/

type KnownOfLines = { readonly known: LineAuthorLookup; readonly classes: CommitClasses }

/** The lines of a file, in its order, with what is known of the commits that git blames. */
export function linesOfChunks(chunks: readonly BlameChunk[], known: KnownOfLines): BlamedLine[] {
  return chunks.flatMap(it => linesOfChunk(it, known)).sort((one, other) => one.line - other.line)
}

function linesOfChunk(
  { commit, path, origin, at, lines, by }: BlameChunk,
  { known, classes }: KnownOfLines,
): BlamedLine[] {
  return Array.from({ length: lines }, (_, n) => {
    if (UNCOMMITTED_OID.test(commit)) return { line: at + n, commit: null, by: null, ...UNKNOWN_AUTHOR }
    const author = known(commit, path).get(origin + n) ?? UNKNOWN_AUTHOR
    return { line: at + n, commit, by, ...author, ...classes.get(commit)?.get(path) }
  })
}

async function blamedRanges(workspace: Workspace, subject: BlameTarget): Promise<readonly BlameChunk[]> {
  const { git, files, root } = workspace
  const { path, revision, ranges } = subject
  try {
    return await subject.pendingBlame
  } catch (thrown) {
    const bytes = revision === null ? await files.read(join(root, path), LARGE_FILE_BYTES_MAX).catch(() => null) : null
    // Git does not blame a file that is not in HEAD: all its lines are uncommitted.
    const isNew = bytes && (await git.tryAsk({ args: ['cat-file', '-e', `HEAD:${path}`], parse: () => true })) === null
    const asked = isNew ? numberedLines(ranges, byteLines(bytes).length) : null
    if (asked === null) throw blameError(path, thrown)
    return asked.map(it => ({ commit: '0', path, origin: it.at, ...it, by: { name: '', at: 0 } }))
  }
}

/** The parts of a file that ranges such as `3,5` name, or all of it; null where git has to answer. */
function numberedLines(ranges: readonly string[], count: number): Pick<BlameChunk, 'at' | 'lines'>[] | null {
  if (ranges.length === 0) return [{ at: 1, lines: count }]
  const bounds = ranges.map(it => /^(\d+),(\d+)$/.exec(it)?.slice(1).map(Number) ?? [])
  const isAsked = ([from = 0, to = 0]: readonly number[]) => from >= 1 && from <= to && from <= count
  return bounds.every(isAsked)
    ? bounds.map(([from = 0, to = 0]) => ({ at: from, lines: Math.min(to, count) - from + 1 }))
    : null
}

// Git's own message names the reason: no such path, or the number of lines.
function blameError(path: string, thrown: unknown): KotefError {
  const [, why = 'git does not know it'] = /\bfatal: (.+)$/m.exec(String(thrown)) ?? []
  const hint = why.startsWith('bad revision')
    ? 'List the commits that this clone has: `git log --oneline`'
    : /\bobject name\b/.test(why)
      ? 'See the list of git’s setting: `git config --show-origin --get-all blame.ignoreRevsFile`'
      : /\bhas only \d+ line/.test(why)
        ? 'Name lines that the file has.'
        : 'List the files that git knows: `git ls-files`'
  return new KotefError('usage', `${printable(path)} can't be blamed: ${why}.`, { cause: thrown, hint })
}
