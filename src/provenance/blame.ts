import { join } from 'node:path'
import { blobOid } from '../diff/blob.ts'
import type { Blamed } from '../diff/blame.ts'
import { linesOf } from '../diff/lines.ts'
import { type FilePatch, marker } from '../diff/patch.ts'
import { loadHasher } from '../io/hash.ts'
import type { Authorship, CommittedRecord } from '../ledger/committed.ts'
import { rangesOn } from '../ledger/note.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type BlameWish, startBlame } from './blaming.ts'
import { commitsBetween } from './commits.ts'
import { endsOf } from './finalise.ts'
import { notesAbout, type NotesAhead, notesOn } from './notes.ts'

/** A line of a file (1-based), and whom it is from. */
export type BlamedLine = {
  readonly line: number
  /** Null for a line that is in no commit yet. */
  readonly commit: string | null
  readonly author: Authorship
  /** The record that says so. */
  readonly record: string | null
  /** By a note on the commit; by what notes and ledger say of the same content; by the ledger; or not at all. */
  readonly how: 'note' | 'content' | 'working' | 'none'
}

/** A file of the repository that git is at work on. */
export type BlameSubject = BlameWish & {
  readonly path: string
  readonly blaming: Promise<readonly Blamed[]>
  /** Resolves when the notes are up to date: true when some were written for it. */
  readonly upToDate: Promise<boolean>
  /** Reads the notes that it has begun with. */
  readonly noted: NotesAhead | null
}

/** Whom the lines of a file are from. */
export async function blame(workspace: Workspace, subject: BlameSubject): Promise<BlamedLine[]> {
  const [blamed, isNew] = await Promise.all([blamedIn(workspace, subject), subject.upToDate])
  const commits = [...new Set(blamed.map(it => it.commit))].filter(it => !UNCOMMITTED.test(it))
  const noted = await (isNew || !subject.noted ? notesOn(workspace, commits) : subject.noted.on(commits))
  const made = await madeUp(
    workspace,
    commits.filter(it => !noted.has(it)),
  )
  const known = knownBy(noted, made)
  const lines = blamed.flatMap(entry => linesIn(entry, known))
  return withWorking(
    workspace,
    subject.path,
    lines.sort((one, other) => one.line - other.line),
  )
}

/** As `blame`, of a file by its path in the repository, of which all that is known is noted. */
export function blameNow(workspace: Workspace, { path, revision }: { path: string; revision: string | null }) {
  const wish = { file: join(workspace.root, path), revision, ranges: [] }
  const blaming = startBlame(workspace.git, wish)
  return blame(workspace, { ...wish, path, blaming, upToDate: Promise.resolve(false), noted: null })
}

type Said = Pick<BlamedLine, 'author' | 'record' | 'how'>
type Known = (commit: string, path: string) => ReadonlyMap<number, Said>

const NOBODY: Authorship = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' }
const NOTHING: Said = { author: NOBODY, record: null, how: 'none' }
const UNCOMMITTED = /^0+$/

function linesIn({ commit, path, origin, at, lines }: Blamed, known: Known): BlamedLine[] {
  return Array.from({ length: lines }, (_, n) => {
    if (UNCOMMITTED.test(commit)) return { line: at + n, commit: null, ...NOTHING }
    return { line: at + n, commit, ...(known(commit, path).get(origin + n) ?? NOTHING) }
  })
}

type Records = ReadonlyMap<string, readonly CommittedRecord[]>

/** What notes say or, of a commit that has none, would say. */
function knownBy(noted: Records, made: Records): Known {
  const known = new Map<string, ReadonlyMap<number, Said>>()
  return (commit, path) => {
    const key = `${commit} ${path}`
    const own = made.get(commit)
    const said = known.get(key) ?? saidIn(own ?? noted.get(commit) ?? [], path, own ? 'content' : 'note')
    known.set(key, said)
    return said
  }
}

async function blamedIn(workspace: Workspace, subject: BlameSubject): Promise<readonly Blamed[]> {
  const { git, files, root } = workspace
  const { path, revision, ranges } = subject
  try {
    return await subject.blaming
  } catch (thrown) {
    const bytes = revision === null ? await files.read(join(root, path)).catch(() => null) : null
    // What is in no commit, git does not blame.
    const isNew = bytes && (await git.tryAsk({ args: ['cat-file', '-e', `HEAD:${path}`], parse: () => true })) === null
    if (!isNew || ranges.length > 0) throw unblamable(path, thrown)
    return [{ commit: '0', path, origin: 1, at: 1, lines: linesOf(bytes).length }]
  }
}

// Git says it best: that there is no such path, or how many lines there are.
function unblamable(path: string, thrown: unknown): KotefError {
  const [, why = 'git does not know it'] = /^fatal: (.+)$/m.exec(String(thrown)) ?? []
  return new KotefError('usage', `${printable(path)} can't be blamed: ${why}.`, { cause: thrown })
}

/** What one or more records say of each line of a path. */
function saidIn(records: readonly CommittedRecord[], path: string, how: 'note' | 'content'): Map<number, Said> {
  const said = new Map<number, Said>()
  for (const { range, author, record } of rangesOn(records, path)) {
    for (let line = range.start_line; line <= range.end_line; line++) said.set(line, { author, record, how })
  }
  return said
}

/** The records of commits without a note, as they would be noted; of what is older than the ledger there are none. */
async function madeUp(workspace: Workspace, commits: readonly string[]): Promise<Records> {
  const ends = commits.length === 0 ? null : await endsOf(workspace)
  if (ends === null) return new Map()
  const wanted = new Set(commits.filter(it => !ends.includes(it)))
  if (wanted.size === 0) return new Map()
  const young = (await workspace.git.ask(commitsBetween([...wanted], ends))).filter(it => wanted.has(it))
  // Seldom there is anything to find, and what finds it takes its time to load.
  const { recordsOf } = await import('./attributed.ts')
  const made = await recordsOf(workspace, young, await loadHasher())
  return new Map([...made].map(([commit, record]) => [commit, [record]]))
}

/** The same lines, with what the ledger says of those that are in no commit yet. */
async function withWorking(workspace: Workspace, path: string, lines: readonly BlamedLine[]): Promise<BlamedLine[]> {
  if (lines.every(it => it.commit !== null)) return [...lines]
  const bytes = await workspace.files.read(join(workspace.root, path))
  if (!bytes) throw new KotefError('usage', `${path} is not there any more.`)
  const { attribute } = await import('../attribution/attribute.ts')
  const { evidenceOf } = await import('./evidence.ts')
  const hasher = await loadHasher()
  const fresh = new Set(lines.filter(it => it.commit === null).map(it => it.line))
  const mark = marker(hasher.xxh32)
  const hunk = linesOf(bytes).map((line, n) => ({
    ...mark(line),
    bytes: line,
    at: n + 1,
    side: fresh.has(n + 1) ? ('added' as const) : ('kept' as const),
  }))
  const file: FilePatch = { path, from: null, before: null, after: blobOid(bytes), hunks: [hunk] }
  const evidence = await evidenceOf(workspace, new Set([path]), hasher)
  const [attributed = []] = attribute({ commit: '', files: [file] }, evidence)
  const isClear = attributed.every(it => it.owner)
  const notes = isClear ? [] : await notesAbout(workspace, [path])
  const [clearer = []] = isClear ? [attributed] : attribute({ commit: '', files: [file] }, evidence.with(notes))
  const owners = new Map(clearer.map(it => [it.at, it.owner]))
  return lines.map(it => {
    const owner = it.commit === null ? owners.get(it.line) : null
    if (!owner) return it
    const { record, ...author } = owner
    return { ...it, author, record, how: 'working' as const }
  })
}
