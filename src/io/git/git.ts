import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { simpleGit } from 'simple-git'
import type { GitQuery } from '../../git/query.ts'
import { KotefError } from '../../findings/failure.ts'
import { type GitInput, runGitWithInput } from './run-git-with-input.ts'
import { withoutRepositoryEnv } from './git-env.ts'

/** Asks git. It takes no lock that it can do without, so it is never in the way of the user's own git. */
export type Git = {
  ask<T>(query: GitQuery<T>): Promise<T>
  /** As `ask`, but a failing git is the answer null: for questions such as "is there a HEAD?". */
  tryAsk<T>(query: GitQuery<T>): Promise<T | null>
  /** The bytes that git prints, for what would be large as text, or is none. */
  bytes(args: readonly string[]): Promise<Buffer>
  /** What git prints when it is given something to read, as it comes. */
  streamWithInput(args: readonly string[], given: GitInput): AsyncIterable<Buffer>
}

/** The real git of one directory, through simple-git, which also keeps the caller's GIT_* variables out. */
export function gitIn(directory: string): Git {
  const runner = simpleGit({
    baseDir: directory,
    maxConcurrentProcesses: 4,
    trimmed: false,
    errors: failureOf,
    completion,
  })
  runner.outputHandler((_, stdout) => stdout.once('end', () => stdout.emit('data', EMPTY_CHUNK)))
  const ask = async <T>({ args, parse }: GitQuery<T>): Promise<T> => {
    return parse(await runner.raw([...SAFE_OPTIONS, ...args]).catch((cause: unknown) => throwGitFailure(args, cause)))
  }
  const bytes = async (args: readonly string[]): Promise<Buffer> => {
    const around = {
      cwd: directory,
      env: withoutRepositoryEnv(process.env),
      encoding: 'buffer',
      maxBuffer: Infinity,
    } as const
    const child = promisify(execFile)('git', [...SAFE_OPTIONS, ...args], around)
    return (await child.catch((cause: unknown) => throwGitFailure(args, cause))).stdout
  }
  return {
    ask,
    bytes,
    tryAsk: query => ask(query).catch(nullOnGitFailure),
    streamWithInput: (args, given) =>
      runGitWithInput({ cwd: directory, env: withoutRepositoryEnv(process.env) }, [...SAFE_OPTIONS, ...args], given),
  }
}

/** As `gitIn`, in an environment of one's own, which may say where objects are. */
export function gitWithEnv(directory: string, env: NodeJS.ProcessEnv): Git {
  const around = { cwd: directory, env, encoding: 'buffer', maxBuffer: Infinity } as const
  const bytes = (args: readonly string[]): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      execFile('git', [...SAFE_OPTIONS, ...args], around, (cause, stdout, stderr) => {
        if (!cause || cause.code === 1) resolve(stdout)
        else reject(gitFailure(args, { cause, said: stderr.toString('utf8').trim() || messageOf(cause) }))
      })
    })
  const ask = async <T>({ args, parse }: GitQuery<T>): Promise<T> => parse((await bytes(args)).toString('utf8'))
  return {
    ask,
    bytes,
    tryAsk: query => ask(query).catch(nullOnGitFailure),
    streamWithInput: (args, given) => runGitWithInput(around, [...SAFE_OPTIONS, ...args], given),
  }
}

// An answer is whole when its pipe is closed. To look again 50 ms after the process would only keep ours alive so long.
const completion = { onClose: true, onExit: false } as const

const SAFE_OPTIONS = ['--no-replace-objects', '--no-optional-locks']

function throwGitFailure(args: readonly string[], cause: unknown): never {
  throw gitFailure(args, { cause, said: messageOf(cause) })
}

function gitFailure(args: readonly string[], { cause, said }: { cause: unknown; said: string }): KotefError {
  return new KotefError('git-failed', `git ${args.join(' ')} failed: ${said}`, { cause })
}

// simple-git waits 50 ms more for the output of a process that printed nothing, but not once it has seen some.
const EMPTY_CHUNK = Buffer.alloc(0)

// Git says "no" and "different" by exit code 1, with or without a warning. What it printed is never part of a message:
// it may be the text of a file.
function failureOf(_: unknown, { exitCode, stdErr }: { exitCode: number; stdErr: Buffer[] }): Error | undefined {
  if (exitCode <= 1) return undefined
  return new Error(Buffer.concat(stdErr).toString('utf8').trim() || `exit code ${exitCode}`)
}

function nullOnGitFailure(thrown: unknown): null {
  if (thrown instanceof KotefError && thrown.code === 'git-failed') return null
  throw thrown
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.trim() : String(thrown)
}
