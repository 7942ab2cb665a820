import { join } from 'node:path'
import type { GitQuery } from '../../core/git/query.ts'
import { streamLines } from '../io/process/run.ts'
import { withLock } from '../io/files/lock.ts'
import { type CommitRecord, isIntactNote } from '../../core/ledger/commit-record.ts'
import { parseNote } from '../../core/ledger/note.ts'
import { KotefError } from '../../core/base/failure.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The reference of the notes, which have the authors of each commit's lines. */
export const NOTES_REF = 'refs/notes/kotef'

/** True in a clone that is set up, has no notes, and has not been asked for its first ones (`firstNotesMark`). */
export async function lacksFirstNotes(workspace: Workspace): Promise<boolean> {
  const { files } = workspace
  const isSetUp = (await files.modifiedAt(layoutOf(workspace).shared)) !== null
  if (!isSetUp || (await files.modifiedAt(firstNotesMark(workspace))) !== null) return false
  return (await readNotesTip(workspace)) === null
}

/** The file that says that the remote was asked for this clone's first notes. */
export function firstNotesMark(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'notes-asked')
}

/** A note: its records, and the number of its lines that are not records. */
export type Note = { readonly records: readonly CommitRecord[]; readonly bad: number }

/** The intact records of each commit that has any, by the commit's oid. */
export async function readNoteRecords(
  workspace: Pick<Workspace, 'git'>,
  commits: readonly string[],
): Promise<Map<string, readonly CommitRecord[]>> {
  const notes = new Map<string, readonly CommitRecord[]>()
  for (const [commit, note] of await readNotes(workspace, commits)) {
    const own = intactRecords(commit, note)
    if (own.length > 0) notes.set(commit, own)
  }
  return notes
}

// Git may have copied a note from another commit (`notes.rewriteRef`), and a user may have edited it.
function intactRecords(commit: string, { records }: Note): readonly CommitRecord[] {
  return records.filter(it => it.vcs.revision === commit && isIntactNote(it))
}

/** Notes that are being read in advance; disposing of it stops the reading. */
export type NotesPrefetch = Disposable & {
  /** As `readNoteRecords`. */
  recordsOn(commits: readonly string[]): Promise<Map<string, readonly CommitRecord[]>>
}

/** Begins to read the notes of the commits that changed a file, given by its absolute path. */
export function prefetchNotes(
  workspace: Workspace,
  { file, revision }: { file: string; revision: string | null },
): NotesPrefetch {
  const read = new Map<string, readonly CommitRecord[]>()
  const stop = new AbortController()
  const args = ['--literal-pathspecs', 'log', ...NOTE_LOG_ARGS, '--end-of-options', revision ?? 'HEAD', '--', file]
  const found = workspace.git.streamWithInput(args, { input: '', signal: stop.signal })
  const before = readLooseNotesRef(workspace)
  const reading = async (): Promise<void> => {
    await before
    for await (const [commit, text] of parseNotePairs(found)) {
      read.set(commit, text === '' ? [] : intactRecords(commit, parseNote(text)))
    }
  }
  // `recordsOn` reads the notes that this reading does not reach.
  reading().catch(() => {})
  return {
    async recordsOn(commits) {
      stop.abort()
      const tip = await before
      // Another process may have written notes meanwhile.
      if (tip === null || tip !== (await readLooseNotesRef(workspace))) return readNoteRecords(workspace, commits)
      const unread = commits.filter(it => !read.has(it))
      const notes = await readNoteRecords(workspace, unread)
      for (const [commit, records] of read) if (records.length > 0) notes.set(commit, records)
      return notes
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}

/** The content of the notes' loose reference; null when it is packed or missing. */
async function readLooseNotesRef({ files, commonDir }: Workspace): Promise<string | null> {
  return (await files.read(join(commonDir, NOTES_REF)).catch(() => null))?.toString('latin1') ?? null
}

/** The tip of the notes, or null; git runs only if their reference is packed or missing. */
export async function readNotesTip(workspace: Workspace): Promise<string | null> {
  return (await readLooseNotesRef(workspace))?.trim() ?? workspace.git.ask(notesTip)
}

/** The notes of some commits as they are, by the commit's oid. Commits that this clone lacks have none. */
export async function readNotes(
  { git }: Pick<Workspace, 'git'>,
  commits: readonly string[],
): Promise<Map<string, Note>> {
  const notes = new Map<string, Note>()
  if (commits.length === 0) return notes
  const args = ['log', ...NOTE_LOG_ARGS, '--stdin', '--no-walk=unsorted', '--ignore-missing']
  for await (const [commit, text] of parseNotePairs(git.streamWithInput(args, { input: `${commits.join('\n')}\n` }))) {
    if (text !== '') notes.set(commit, parseNote(text))
  }
  return notes
}

const NOTE_LOG_ARGS = [...['-z', '--encoding=UTF-8', '--no-notes', `--notes=${NOTES_REF}`], '--format=tformat:%H%x00%N']

/** Pairs of commit and note, from git's output. */
async function* parseNotePairs(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly [commit: string, note: string]> {
  const decoder = new TextDecoder()
  let fields: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\0')
    fields = [...fields.slice(0, -1), `${fields.at(-1) ?? ''}${first}`, ...more]
    // The last field may continue in the next chunk.
    const whole = fields.length - 1 - ((fields.length - 1) % 2)
    for (let n = 0; n < whole; n += 2) yield [fields[n] ?? '', fields[n + 1] ?? '']
    fields = fields.slice(whole)
  }
}

/** The records about some paths in all notes, also in notes of commits that this clone lacks. */
export async function findNoteRecords({ git }: Workspace, paths: readonly string[]): Promise<CommitRecord[]> {
  if (paths.length === 0 || (await git.ask(notesTip)) === null) return []
  const wanted = new Set(paths.map(it => JSON.stringify(it)))
  const patterns = wanted.size > GREP_PATTERNS_MAX ? ['"path":'] : [...wanted].map(it => `"path":${it}`)
  const found = git.streamWithInput(['grep', '-h', '--text', '--fixed-strings', '-f', '-', NOTES_REF], {
    input: patterns.join('\n'),
    acceptedExits: [1],
  })
  const records: CommitRecord[] = []
  for await (const lines of streamLines(found)) {
    for (const text of lines.map(it => it.toString('utf8')).filter(it => mentionsPath(it, wanted)))
      for (const each of parseNote(text).records.filter(isIntactNote)) records.push(each)
  }
  return records
}

// git grep takes the product of patterns and bytes: a minute for 2,000 patterns in a note of 2,000 files.
const GREP_PATTERNS_MAX = 16

function mentionsPath(line: string, wanted: ReadonlySet<string>): boolean {
  return [...line.matchAll(/"path":("(?:[^"\\]|\\.)*")/g)].some(([, path = '']) => wanted.has(path))
}

/** The commit that the notes' reference names; null when there are no notes. */
export const notesTip: GitQuery<string | null> = {
  args: ['rev-parse', '--verify', '--quiet', NOTES_REF],
  parse: out => out.trim() || null,
}

/** Notes to write: the whole text of each, by the commit's oid. */
export type NoteTexts = ReadonlyMap<string, string>

/**
 * Writes the notes of several commits in one git process. If another process changed the notes meanwhile, git refuses,
 * and the write is tried again: `make` returns the notes to write at each try.
 */
export async function writeNotes(workspace: Workspace, make: () => Promise<NoteTexts>): Promise<void> {
  const lock = join(layoutOf(workspace).shared, 'notes.lock')
  await withLock(lock, async () => {
    for (let tries = 0; ; tries++) {
      const tip = await workspace.git.ask(notesTip)
      const notes = await make()
      if (notes.size === 0 || (await importNotes(workspace, notes, { tip, merged: null }))) return
      if (tries === NOTE_TRIES_MAX)
        throw new KotefError('ledger-busy', `${NOTES_REF} is being written by another process.`)
    }
  })
}

// Each try fails only when another process wrote notes during it.
const NOTE_TRIES_MAX = 10

/** The notes that a commit of notes follows, and those that it merges; null for none. */
type NotesParents = { readonly tip: string | null; readonly merged: string | null }

/**
 * Commits notes on top of a tip: in a merge by their paths, else by their commits. False when another process changed
 * the notes meanwhile.
 */
export async function importNotes(workspace: Workspace, notes: NoteTexts, parents: NotesParents): Promise<boolean> {
  const input = await fastImportStream(workspace, notes, parents)
  const args = ['fast-import', '--quiet', '--date-format=raw']
  try {
    for await (const _ of workspace.git.streamWithInput(args, { input })) void _
    return true
  } catch (thrown) {
    if ((await workspace.git.ask(notesTip)) === parents.tip) throw thrown
    return false
  }
}

async function fastImportStream(
  { git, clock }: Workspace,
  notes: NoteTexts,
  { tip, merged }: NotesParents,
): Promise<Buffer> {
  const ident = await committerIdent({ git })
  const seconds = Math.floor(clock.now() / 1000)
  const added = notes.size === 1 ? 'Notes added by kotef' : `${notes.size} notes added by kotef`
  const message = merged === null ? added : 'Notes merged by kotef'
  const head = [
    `commit ${NOTES_REF}`,
    `committer ${ident} ${seconds} +0000`,
    `data ${Buffer.byteLength(message)}\n${message}`,
    ...(tip === null ? [] : [`from ${tip}`]),
    ...(merged === null ? [] : [`merge ${merged}`]),
  ]
  const parts = [Buffer.from(`${head.join('\n')}\n`)]
  for (const [name, text] of notes) {
    const bytes = Buffer.from(text)
    // Merged notes may be of commits that this clone lacks. Git takes those as files only.
    const command = merged === null ? `N inline ${name}` : `M 100644 inline ${name}`
    parts.push(Buffer.from(`${command}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

// The committer of notes: the user as git knows them, or kotef when git knows no user.
async function committerIdent({ git }: Pick<Workspace, 'git'>): Promise<string> {
  // `ask` removes the GIT_COMMITTER_* variables from git's environment, `bytes` does not.
  const ident = await git.bytes(['var', 'GIT_COMMITTER_IDENT']).catch(() => Buffer.from(KOTEF_COMMITTER))
  return ident.toString('utf8').replace(/ \d+ [+-]\d+\s*$/, '')
}

const KOTEF_COMMITTER = 'kotef <kotef@localhost>'
