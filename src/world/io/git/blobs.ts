import { KotefError } from '../../../core/base/failure.ts'
import { type GitProcessOptions, startGit, STDERR_CHARS_MAX, streamGit, withoutRepositoryEnv } from './run-git.ts'

/** Reads blobs from git's object store, through one git process that runs until this is disposed of. */
export type Blobs = AsyncDisposable & {
  /** The bytes of a blob, by its id or as `<commit>:<path>`; null when git has no blob of that name. */
  read(name: string): Promise<Buffer | null>
  /** A folder, given as `<commit>:<path>`: the oid of its tree, and the names in it; null when there is none. */
  folder(name: string): Promise<{ readonly oid: string; readonly names: readonly string[] } | null>
  /** The bytes of a blob as git checks them out at a path, with line endings and other filters applied. */
  readCheckedOut(oid: string, path: string): Promise<Buffer | null>
}

type BlobOptions = {
  /** Blobs that a partial clone does not have count as missing: nothing is fetched. */
  readonly localOnly?: boolean
  /** A blob that can't be fetched is a failure; without this it counts as missing. */
  readonly failIfUnfetchable?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/** `git cat-file --batch` in a directory. It is started at the first question, and again at the next one if it died. */
export function openBlobs(cwd: string, { localOnly, failIfUnfetchable, env }: BlobOptions = {}): Blobs {
  const options = { cwd, env: catFileEnv(env ?? withoutRepositoryEnv(process.env), localOnly ?? false) }
  let running: CatFile | null = null
  let lastRead: Promise<void> = Promise.resolve()
  const ask = async (name: string): Promise<GitObject | null> => {
    const asked = (running ??= startCatFile(options))
    const turn = asked.nextTurn()
    const answer = await asked.ask(name)
    if (answer !== 'died') return answer
    if (running === asked) running = null
    // Only the first question without an answer can have ended it.
    if (turn > asked.answered()) return ask(name)
    if (!failIfUnfetchable && MISSING_FROM_PROMISOR.test(asked.stderr())) return null
    throw new KotefError('git-failed', 'git cat-file --batch ended without an answer.')
  }
  // The next question is asked before this one is answered.
  const inTurn = (name: string): Promise<GitObject | null> => {
    const answer = ask(name)
    // Without its result: that would hold all answers before it.
    lastRead = Promise.allSettled([lastRead, answer]).then(() => {})
    return answer
  }
  return {
    read: async name => ofType(await inTurn(name), 'blob'),
    folder: async name => folderOf(await inTurn(name)),
    readCheckedOut: (oid, path) =>
      readAtMost(streamGit(['cat-file', '--filters', `--path=${path}`, oid], options)).catch(() => null),
    async [Symbol.asyncDispose]() {
      await lastRead
      running?.end()
    },
  }
}

// Git ends when it can't fetch a blob that the partial clone left at its remote.
const MISSING_FROM_PROMISOR = /from promisor remote/

async function readAtMost(stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > BLOB_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Larger files are never diffed.
const BLOB_BYTES_MAX = 64 * 1_048_576

function catFileEnv(env: NodeJS.ProcessEnv, localOnly: boolean): NodeJS.ProcessEnv {
  const common = { ...env, GIT_NO_REPLACE_OBJECTS: '1', LC_ALL: 'C' }
  // A git that is too old for the first variable finds no protocol to fetch by.
  return localOnly ? { ...common, GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' } : common
}

type GitObject = { readonly type: string | undefined; readonly oid: string; readonly bytes: Buffer }

function ofType(found: GitObject | null, type: string): Buffer | null {
  return found?.type === type ? found.bytes : null
}

// An entry of a tree is a mode, a space, a name, a NUL, and the bytes of an oid.
function folderOf(found: GitObject | null) {
  const tree = ofType(found, 'tree')
  if (found === null || tree === null) return null
  const names: string[] = []
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at)
    names.push(tree.toString('utf8', tree.indexOf(0x20, at) + 1, end))
    at = end + 1 + found.oid.length / 2
  }
  return { oid: found.oid, names }
}

type CatFile = {
  /** The number of the next question, from 0. */
  nextTurn(): number
  /** An object's bytes; null when git does not have it. */
  ask(name: string): Promise<GitObject | null | 'died'>
  /** How many questions have an answer. */
  answered(): number
  /** The end of what git complained about. */
  stderr(): string
  end(): void
}

function startCatFile(options: GitProcessOptions): CatFile {
  const child = startGit(['cat-file', '--batch'], options)
  const closed = new Promise(resolve => child.once('close', resolve))
  let stderr = ''
  const answers = catFileAnswers(child.stdout)
  let asked = 0
  let answered = 0
  child.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS_MAX)))
  return {
    nextTurn: () => asked++,
    answered: () => answered,
    async ask(name) {
      if (child.stdin.writableCorked === 0) {
        // The questions of one turn are one write.
        child.stdin.cork()
        process.nextTick(() => child.stdin.uncork())
      }
      child.stdin.write(`${name}\n`)
      const { value, done } = await answers.next()
      if (!done) {
        answered++
        return value
      }
      await closed
      return 'died'
    },
    stderr: () => stderr,
    end: () => child.stdin.end(),
  }
}

/**
 * Splits the output of `git cat-file --batch` into its answers: `<oid> <type> <size>` LF, the bytes, LF; or
 * `<name> missing` LF. The latter is null.
 */
async function* catFileAnswers(stream: AsyncIterable<Buffer>): AsyncGenerator<GitObject | null, void> {
  let rest: Buffer = Buffer.alloc(0)
  let chunks: Buffer[] = []
  let wanted = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    wanted -= chunk.length
    if (wanted > 0) continue
    rest = Buffer.concat([rest, ...chunks])
    chunks = []
    wanted = 0
    for (let answer = firstAnswer(rest); answer; answer = firstAnswer(rest)) {
      if (answer.end > rest.length) {
        wanted = answer.end - rest.length
        break
      }
      const { type, oid } = answer
      yield answer.end > answer.start ? { type, oid, bytes: rest.subarray(answer.start, answer.end - 1) } : null
      rest = rest.subarray(answer.end)
    }
  }
}

type FirstAnswer = Pick<GitObject, 'type' | 'oid'> & { readonly start: number; readonly end: number }

function firstAnswer(bytes: Buffer): FirstAnswer | null {
  const feed = bytes.indexOf(0x0a)
  if (feed === -1) return null
  const words = bytes.toString('latin1', 0, feed).split(' ')
  const [type, size] = words.slice(-2)
  const start = feed + 1
  return {
    type,
    oid: words[0] ?? '',
    start,
    end: Number.isNaN(Number(size)) ? start : start + Number(size) + 1,
  }
}
