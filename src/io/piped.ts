import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { KotefError } from '../report/failure.ts'

/** What git is given to read, and which exit codes besides 0 are an answer. */
export type Piped = {
  readonly input: string | Uint8Array
  readonly answers?: readonly number[]
  /** Ends git when nobody wants to know any more. */
  readonly signal?: AbortSignal
}

type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/** What git prints when it is given something to read, as it comes; git's failure is thrown at its end. */
export async function* piped(
  { cwd, env }: Place,
  args: readonly string[],
  { input, answers = [], signal }: Piped,
): AsyncGenerator<Buffer, void> {
  const child = spawn('git', args, { cwd, env, stdio: 'pipe', ...(signal ? { signal } : {}) })
  const ended = once(child, 'close') as Promise<[number | null]>
  ended.catch(() => {})
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-SAID_CHARS_MAX)))
  // Who ends before it has read everything says why by its exit code.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const [code] = await ended
    if (code === 0 || answers.includes(code ?? -1)) return
    throw new KotefError('git-failed', `git ${args.join(' ')} failed: ${said.trim() || `exit code ${code}`}`)
  } finally {
    child.kill()
  }
}

const SAID_CHARS_MAX = 4_000
