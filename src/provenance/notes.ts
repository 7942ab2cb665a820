import { join } from 'node:path'
import type { GitQuery } from '../git/query.ts'
import { streamLines } from '../io/process/stream-lines.ts'
import { withLock } from '../io/files/lock.ts'
import { type CommitRecord, isIntactNote } from '../ledger/commit-record.ts'
import { parseNote } from '../ledger/note.ts'
import { KotefError } from '../findings/failure.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Where the notes are that say, for each commit, whom its lines are from. */
export const NOTES_REF = 'refs/notes/kotef'

/** A note: its records, and how many of its lines are none. */
export type Note = { readonly records: readonly CommitRecord[]; readonly bad: number }

/** The records of each commit that has any that are its own and as they were written, by its oid. */
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

// Git may have copied a note from another commit (`notes.rewriteRef`), and anybody may have changed one.
function intactRecords(commit: string, { records }: Note): readonly CommitRecord[] {
  return records.filter(it => it.vcs.revision === commit && isIntactNote(it))
}

/** Notes that are being read before anybody asks for them; when it is disposed of, no more are. */
export type NotesPrefetch = Disposable & {
  /** As `notesOn`. */
  recordsOn(commits: readonly string[]): Promise<Map<string, readonly CommitRecord[]>>
}

/** Begins to read the notes on the commits that have changed a file, whose absolute path it is given. */
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
  // Whatever is not read in this way is read when it is asked for.
  reading().catch(() => {})
  return {
    async recordsOn(commits) {
      stop.abort()
      const tip = await before
      // Somebody else may have written notes meanwhile.
      if (tip === null || tip !== (await readLooseNotesRef(workspace))) return readNoteRecords(workspace, commits)
      const notes = await readNoteRecords(
        workspace,
        commits.filter(it => !read.has(it)),
      )
      for (const [commit, records] of read) if (records.length > 0) notes.set(commit, records)
      return notes
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}

/** The reference of the notes as it stands in a file of its own; null when it does not. */
async function readLooseNotesRef({ files, commonDir }: Workspace): Promise<string | null> {
  return (await files.read(join(commonDir, NOTES_REF)).catch(() => null))?.toString('latin1') ?? null
}

/** The notes on some commits, by the commit's oid, as they are. Commits that are not at hand have none. */
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

const NOTE_LOG_ARGS = [
  ...['-z', '--no-show-signature', '--encoding=UTF-8', '--no-notes', `--notes=${NOTES_REF}`],
  '--format=tformat:%H%x00%N',
]

/** Commits with their notes, as git says them one after the other. */
async function* parseNotePairs(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly [commit: string, note: string]> {
  const decoder = new TextDecoder()
  let fields: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\0')
    fields = [...fields.slice(0, -1), `${fields.at(-1) ?? ''}${first}`, ...more]
    // What the last field is shows with the next chunk.
    const whole = fields.length - 1 - ((fields.length - 1) % 2)
    for (let n = 0; n < whole; n += 2) yield [fields[n] ?? '', fields[n + 1] ?? '']
    fields = fields.slice(whole)
  }
}

/** The records of all notes that tell of one of some paths, also of commits that are not at hand. */
export async function findNoteRecords({ git }: Workspace, paths: readonly string[]): Promise<CommitRecord[]> {
  if (paths.length === 0 || (await git.ask(notesTip)) === null) return []
  const input = paths.map(it => `"path":${JSON.stringify(it)}\n`).join('')
  const records: CommitRecord[] = []
  const found = git.streamWithInput(['grep', '-h', '--text', '--fixed-strings', '-f', '-', NOTES_REF], {
    input,
    acceptedExits: [1],
  })
  for await (const lines of streamLines(found)) {
    for (const line of lines)
      for (const each of parseNote(line.toString('utf8')).records.filter(isIntactNote)) records.push(each)
  }
  return records
}

/** The commit that the notes stand at; null when there are none. */
export const notesTip: GitQuery<string | null> = {
  args: ['rev-parse', '--verify', '--quiet', NOTES_REF],
  parse: out => out.trim() || null,
}

/** Notes to write, by the commit's oid: each the whole text of its note. */
export type NoteTexts = ReadonlyMap<string, string>

/**
 * Puts notes on commits, all of them at once, in one git process: it does not write over what somebody else put there
 * meanwhile, and then it is done anew. `make` is asked each time for what is to be written.
 */
export async function writeNotes(workspace: Workspace, make: () => Promise<NoteTexts>): Promise<void> {
  const lock = join(layoutOf(workspace).shared, 'notes.lock')
  await withLock(lock, async () => {
    for (let tries = 0; ; tries++) {
      const tip = await workspace.git.ask(notesTip)
      const notes = await make()
      if (notes.size === 0 || (await fastImport(workspace, notes, tip))) return
      if (tries === NOTE_TRIES_MAX)
        throw new KotefError('ledger-busy', `${NOTES_REF} is being written by somebody else.`)
    }
  })
}

const NOTE_TRIES_MAX = 10

async function fastImport(workspace: Workspace, notes: NoteTexts, tip: string | null): Promise<boolean> {
  const input = await fastImportStream(workspace, notes, tip)
  const args = ['fast-import', '--quiet', '--date-format=raw']
  try {
    for await (const _ of workspace.git.streamWithInput(args, { input })) void _
    return true
  } catch (thrown) {
    if ((await workspace.git.ask(notesTip)) === tip) throw thrown
    return false
  }
}

async function fastImportStream({ git, clock }: Workspace, notes: NoteTexts, tip: string | null): Promise<Buffer> {
  const ident = await committerIdent({ git })
  const seconds = Math.floor(clock.now() / 1000)
  const message = notes.size === 1 ? 'Notes added by kotef' : `${notes.size} notes added by kotef`
  const head = [
    `commit ${NOTES_REF}`,
    `committer ${ident} ${seconds} +0000`,
    `data ${Buffer.byteLength(message)}\n${message}`,
    ...(tip === null ? [] : [`from ${tip}`]),
  ]
  const parts = [Buffer.from(`${head.join('\n')}\n`)]
  for (const [commit, text] of notes) {
    const bytes = Buffer.from(text)
    parts.push(Buffer.from(`N inline ${commit}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

/** Whoever makes notes here: the user, as git knows them; kotef, where git knows nobody. */
export async function committerIdent({ git }: Pick<Workspace, 'git'>): Promise<string> {
  // Through the other door git does not see who its surroundings say that the user is.
  const ident = await git.bytes(['var', 'GIT_COMMITTER_IDENT']).catch(() => Buffer.from(KOTEF_COMMITTER))
  return ident.toString('utf8').replace(/ \d+ [+-]\d+\s*$/, '')
}

export const KOTEF_COMMITTER = 'kotef <kotef@localhost>'
