import { join } from 'node:path'
import { blobOid } from '../git/blob-oid.ts'
import { blameArgs, type BlameChunk, type GitAuthor, parseBlame } from '../git/blame.ts'
import { byteLines } from '../text/lines.ts'
import { type FilePatch, lineMarker } from '../git/diff/patch.ts'
import { loadHasher } from '../io/files/hasher.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { citedIntents } from './cited-intents.ts'
import { type LineAuthor, type LineAuthorLookup, loadLineAuthors, UNKNOWN_AUTHOR } from './line-authors.ts'
import { findNoteRecords, type NotesPrefetch, readNoteRecords } from './notes.ts'
import type { Git } from '../io/git/git.ts'

/** A line of a file (1-based), and its author. */
export type BlamedLine = {
  readonly line: number
  /** Null for a line that is not committed. */
  readonly commit: string | null
  /** The author of that commit; null for a line that is not committed. */
  readonly by: GitAuthor | null
} & LineAuthor

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
  const known = await loadLineAuthors(workspace, commits, noted)
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

const UNCOMMITTED_OID = /^0+$/

function linesOfBlamed({ commit, path, origin, at, lines, by }: BlameChunk, known: LineAuthorLookup): BlamedLine[] {
  return Array.from({ length: lines }, (_, n) => {
    if (UNCOMMITTED_OID.test(commit)) return { line: at + n, commit: null, by: null, ...UNKNOWN_AUTHOR }
    return { line: at + n, commit, by, ...(known(commit, path).get(origin + n) ?? UNKNOWN_AUTHOR) }
  })
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
