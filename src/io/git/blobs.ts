import { execFile, spawn } from 'node:child_process'
import { KotefError } from '../../findings/failure.ts'
import { withoutRepositoryEnv } from './git-env.ts'

/** Reads blobs from git's object store, through one process that lives as long as it is needed. */
export type Blobs = AsyncDisposable & {
  /** The bytes of a blob, by its id or as `<commit>:<path>`; null when git has none of that name. */
  read(name: string): Promise<Buffer | null>
  /** The bytes of a blob as git checks them out at a path: line endings and other filters applied. */
  readCheckedOut(oid: string, path: string): Promise<Buffer | null>
}

type BlobOptions = {
  /** Nothing is fetched. */
  readonly localOnly?: boolean
  /** What can't be fetched is a failure, and not a blob that is missing. */
  readonly failIfUnfetchable?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/**
 * `git cat-file --batch` in a directory; it is started at the first question, and again after it died. A clone may
 * have left blobs behind, which git fetches when it is asked for them; with `atHand` it does not, and has none.
 */
export function openBlobs(
  directory: string,
  {
    localOnly: atHand = false,
    failIfUnfetchable: needed = false,
    env: around = withoutRepositoryEnv(process.env),
  }: BlobOptions = {},
): Blobs {
  const context = { cwd: directory, env: catFileEnv(around, atHand), needed }
  let running: CatFile | null = null
  let lastRead: Promise<unknown> = Promise.resolve()
  const ask = async (name: string): Promise<Buffer | null> => {
    running ??= startCatFile(context)
    const answer = await running.ask(name)
    if (running.isOver()) running = null
    if (answer !== undefined) return answer
    throw new KotefError('git-failed', 'git cat-file --batch ended without an answer.')
  }
  return {
    read: name => {
      const answer = lastRead.then(() => ask(name))
      lastRead = answer.catch(() => {})
      return answer
    },
    readCheckedOut: (oid, path) =>
      new Promise(resolve => {
        const args = ['cat-file', '--filters', `--path=${path}`, oid]
        const options = { ...context, encoding: 'buffer', maxBuffer: BLOB_BYTES_MAX } as const
        execFile('git', args, options, (failed, stdout) => resolve(failed ? null : stdout))
      }),
    async [Symbol.asyncDispose]() {
      await lastRead
      running?.end()
    },
  }
}

// Larger files than this are never diffed.
const BLOB_BYTES_MAX = 64 * 1_048_576

// A hook of another repository, or its user, may have named that one for all that it starts.
function catFileEnv(around: NodeJS.ProcessEnv, atHand: boolean): NodeJS.ProcessEnv {
  const env = { ...around, GIT_NO_REPLACE_OBJECTS: '1' }
  // A git that does not know the first of these finds no way to fetch by.
  return atHand ? { ...env, GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' } : env
}

type CatFileContext = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly needed: boolean }

type CatFile = {
  /** A blob's bytes; null when git does not have it, undefined when git is gone. */
  ask(name: string): Promise<Buffer | null | undefined>
  isOver(): boolean
  end(): void
}

function startCatFile({ cwd, env, needed }: CatFileContext): CatFile {
  const child = spawn('git', ['cat-file', '--batch'], { cwd, env: { ...env, LC_ALL: 'C' }, stdio: 'pipe' })
  const closed = new Promise(resolve => child.once('close', resolve))
  let stderr = ''
  let over = false
  const answers = catFileAnswers(child.stdout)
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS_MAX)))
  return {
    async ask(name) {
      child.stdin.write(`${name}\n`)
      const { value, done } = await answers.next()
      if (!done) return value
      over = true
      await closed
      return !needed && MISSING_FROM_PROMISOR.test(stderr) ? null : undefined
    },
    isOver: () => over,
    end: () => child.stdin.end(),
  }
}

// Git ends when it can't fetch what was left behind.
const MISSING_FROM_PROMISOR = /from promisor remote/
const STDERR_CHARS_MAX = 4_000

/**
 * Splits what `git cat-file --batch` prints into its answers: `<oid> <type> <size>` LF, the bytes, LF; or
 * `<name> missing` LF, which is null, and so is what is no blob.
 */
async function* catFileAnswers(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null, void> {
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
      yield answer.type === 'blob' ? rest.subarray(answer.start, answer.end - 1) : null
      rest = rest.subarray(answer.end)
    }
  }
}

function firstAnswer(bytes: Buffer): { type: string | undefined; start: number; end: number } | null {
  const feed = bytes.indexOf(0x0a)
  if (feed === -1) return null
  const [type, size] = bytes.toString('latin1', 0, feed).split(' ').slice(-2)
  const start = feed + 1
  return { type, start, end: Number.isNaN(Number(size)) ? start : start + Number(size) + 1 }
}
