import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { streamedLines } from '../io/lines.ts'
import { withLock } from '../io/lock.ts'
import { type CommittedRecord, isIntactNote } from '../ledger/committed.ts'
import { recordsIn } from '../ledger/note.ts'
import { KotefError } from '../report/failure.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Where the notes are that say, for each commit, whom its lines are from. */
export const NOTES = 'refs/notes/kotef'

/** A note: its records, and how many of its lines are none. */
export type Note = { readonly records: readonly CommittedRecord[]; readonly bad: number }

/** The records of each commit that has any that are its own and as they were written, by its oid. */
export async function notesOn(
  workspace: Pick<Workspace, 'git'>,
  commits: readonly string[],
): Promise<Map<string, readonly CommittedRecord[]>> {
  const notes = new Map<string, readonly CommittedRecord[]>()
  for (const [commit, note] of await notesWith(workspace, commits)) {
    const own = ownOf(commit, note)
    if (own.length > 0) notes.set(commit, own)
  }
  return notes
}

// Git may have copied a note from another commit (`notes.rewriteRef`), and anybody may have changed one.
function ownOf(commit: string, { records }: Note): readonly CommittedRecord[] {
  return records.filter(it => it.vcs.revision === commit && isIntactNote(it))
}

/** Notes that are being read before anybody asks for them; when it is disposed of, no more are. */
export type NotesAhead = Disposable & {
  /** As `notesOn`. */
  on(commits: readonly string[]): Promise<Map<string, readonly CommittedRecord[]>>
}

/** Begins to read the notes on the commits that have changed a file, whose absolute path it is given. */
export function notesAhead(
  workspace: Workspace,
  { file, revision }: { file: string; revision: string | null },
): NotesAhead {
  const read = new Map<string, readonly CommittedRecord[]>()
  const stop = new AbortController()
  const args = ['--literal-pathspecs', 'log', ...NOTED, '--end-of-options', revision ?? 'HEAD', '--', file]
  const found = workspace.git.piped(args, { input: '', signal: stop.signal })
  const before = looseTip(workspace)
  const reading = async (): Promise<void> => {
    await before
    for await (const [commit, text] of pairsIn(found)) {
      read.set(commit, text === '' ? [] : ownOf(commit, recordsIn(text)))
    }
  }
  // Whatever is not read in this way is read when it is asked for.
  reading().catch(() => {})
  return {
    async on(commits) {
      stop.abort()
      const tip = await before
      // Somebody else may have written notes meanwhile.
      if (tip === null || tip !== (await looseTip(workspace))) return notesOn(workspace, commits)
      const notes = await notesOn(
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
async function looseTip({ files, commonDir }: Workspace): Promise<string | null> {
  return (await files.read(join(commonDir, NOTES)).catch(() => null))?.toString('latin1') ?? null
}

/** The notes on some commits, by the commit's oid, as they are. Commits that are not at hand have none. */
export async function notesWith(
  { git }: Pick<Workspace, 'git'>,
  commits: readonly string[],
): Promise<Map<string, Note>> {
  const notes = new Map<string, Note>()
  if (commits.length === 0) return notes
  const args = ['log', ...NOTED, '--stdin', '--no-walk=unsorted', '--ignore-missing']
  for await (const [commit, text] of pairsIn(git.piped(args, { input: `${commits.join('\n')}\n` }))) {
    if (text !== '') notes.set(commit, recordsIn(text))
  }
  return notes
}

const NOTED = [
  ...['-z', '--no-show-signature', '--encoding=UTF-8', '--no-notes', `--notes=${NOTES}`],
  '--format=tformat:%H%x00%N',
]

/** Commits with their notes, as git says them one after the other. */
async function* pairsIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly [commit: string, note: string]> {
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
export async function notesAbout({ git }: Workspace, paths: readonly string[]): Promise<CommittedRecord[]> {
  if (paths.length === 0 || (await git.ask(notesTip)) === null) return []
  const input = paths.map(it => `"path":${JSON.stringify(it)}\n`).join('')
  const records: CommittedRecord[] = []
  const found = git.piped(['grep', '-h', '--text', '--fixed-strings', '-f', '-', NOTES], { input, answers: [1] })
  for await (const lines of streamedLines(found)) {
    for (const line of lines)
      for (const each of recordsIn(line.toString('utf8')).records.filter(isIntactNote)) records.push(each)
  }
  return records
}

/** The commit that the notes stand at; null when there are none. */
export const notesTip: GitQuery<string | null> = {
  args: ['rev-parse', '--verify', '--quiet', NOTES],
  parse: out => out.trim() || null,
}

/** Notes to write, by the commit's oid: each the whole text of its note. */
export type Notes = ReadonlyMap<string, string>

/**
 * Puts notes on commits, all of them at once, in one git process: it does not write over what somebody else put there
 * meanwhile, and then it is done anew. `make` is asked each time for what is to be written.
 */
export async function writeNotes(workspace: Workspace, make: () => Promise<Notes>): Promise<void> {
  const lock = join(placesOf(workspace).shared, 'notes.lock')
  await withLock(lock, async () => {
    for (let tries = 0; ; tries++) {
      const tip = await workspace.git.ask(notesTip)
      const notes = await make()
      if (notes.size === 0 || (await imported(workspace, notes, tip))) return
      if (tries === TRIES_MAX) throw new KotefError('ledger-busy', `${NOTES} is being written by somebody else.`)
    }
  })
}

const TRIES_MAX = 10

async function imported(workspace: Workspace, notes: Notes, tip: string | null): Promise<boolean> {
  const input = await streamOf(workspace, notes, tip)
  const args = ['fast-import', '--quiet', '--date-format=raw']
  try {
    for await (const _ of workspace.git.piped(args, { input })) void _
    return true
  } catch (thrown) {
    if ((await workspace.git.ask(notesTip)) === tip) throw thrown
    return false
  }
}

async function streamOf({ git, clock }: Workspace, notes: Notes, tip: string | null): Promise<Buffer> {
  const who = await committerIn({ git })
  const seconds = Math.floor(clock.now() / 1000)
  const message = notes.size === 1 ? 'Notes added by kotef' : `${notes.size} notes added by kotef`
  const head = [
    `commit ${NOTES}`,
    `committer ${who} ${seconds} +0000`,
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
export async function committerIn({ git }: Pick<Workspace, 'git'>): Promise<string> {
  // Through the other door git does not see who its surroundings say that the user is.
  const told = await git.bytes(['var', 'GIT_COMMITTER_IDENT']).catch(() => Buffer.from(NOBODY))
  return told.toString('utf8').replace(/ \d+ [+-]\d+\s*$/, '')
}

export const NOBODY = 'kotef <kotef@localhost>'
