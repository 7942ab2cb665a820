import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { KotefError } from '../../findings/failure.ts'

/** What git is given to read, and which exit codes besides 0 are an answer. */
export type GitInput = {
  readonly input: string | Uint8Array
  readonly acceptedExits?: readonly number[]
  /** Ends git when nobody wants to know any more. */
  readonly signal?: AbortSignal
}

type GitProcessContext = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/** What git prints when it is given something to read, as it comes; git's failure is thrown at its end. */
export async function* runGitWithInput(
  { cwd, env }: GitProcessContext,
  args: readonly string[],
  { input, acceptedExits: answers = [], signal }: GitInput,
): AsyncGenerator<Buffer, void> {
  const child = spawn('git', args, { cwd, env, stdio: 'pipe', ...(signal ? { signal } : {}) })
  const ended = once(child, 'close') as Promise<[number | null]>
  ended.catch(() => {})
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS_MAX)))
  // Who ends before it has read everything says why by its exit code.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const [code] = await ended
    if (code === 0 || answers.includes(code ?? -1)) return
    throw new KotefError('git-failed', `git ${args.join(' ')} failed: ${stderr.trim() || `exit code ${code}`}`)
  } finally {
    child.kill()
  }
}

const STDERR_CHARS_MAX = 4_000
