import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'

/** Reads blobs from git's object store, through one process that lives as long as it is needed. */
export type Blobs = AsyncDisposable & {
  /** The bytes of an object, or null when git does not have it. */
  read(oid: string): Promise<Buffer | null>
  /** The bytes of a blob as git checks them out at a path: line endings and other filters applied. */
  checkedOut(oid: string, path: string): Promise<Buffer | null>
}

/** `git cat-file --batch` in a directory; it is started at the first question, and again after it died. */
export function blobsOf(directory: string): Blobs {
  let running: { child: ChildProcessWithoutNullStreams; answers: AsyncGenerator<Buffer | null> } | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (oid: string): Promise<Buffer | null> => {
    running ??= start(directory, () => (running = null))
    running.child.stdin.write(`${oid}\n`)
    const { value } = await running.answers.next()
    return (value as Buffer | null | undefined) ?? null
  }
  return {
    read: oid => {
      const answer = turn.then(() => ask(oid))
      turn = answer.catch(() => {})
      return answer
    },
    checkedOut: (oid, path) =>
      new Promise(resolve => {
        const args = ['cat-file', '--filters', `--path=${path}`, oid]
        const options = { cwd: directory, encoding: 'buffer', maxBuffer: BYTES_MAX } as const
        execFile('git', args, options, (failed, stdout) => resolve(failed ? null : stdout))
      }),
    async [Symbol.asyncDispose]() {
      await turn
      running?.child.stdin.end()
    },
  }
}

// Larger files than this are never diffed.
const BYTES_MAX = 64 * 1_048_576

function start(directory: string, ended: () => void) {
  const child = spawn('git', ['cat-file', '--batch'], { cwd: directory, stdio: 'pipe' })
  child.once('close', ended)
  child.stdin.on('error', () => {})
  child.stderr.resume()
  return { child, answers: answersIn(child.stdout) }
}

/** Splits the stream into answers: `<oid> <type> <size>` LF, the bytes, LF; or `<name> missing` LF. */
async function* answersIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
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
      yield answer.start === answer.end ? null : rest.subarray(answer.start, answer.end - 1)
      rest = rest.subarray(answer.end)
    }
  }
}

function firstAnswer(bytes: Buffer): { start: number; end: number } | null {
  const feed = bytes.indexOf(0x0a)
  if (feed === -1) return null
  const [, , size] = bytes.toString('latin1', 0, feed).split(' ')
  const start = feed + 1
  return { start, end: size === undefined ? start : start + Number(size) + 1 }
}
