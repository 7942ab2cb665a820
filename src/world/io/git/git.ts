import { simpleGit } from 'simple-git'
import { KotefError } from '../../../core/base/failure.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import { refuseOddRefs } from './odd-refs.ts'
import { gitFailure, type GitProcessOptions, readGit, SAFE_OPTIONS, streamGit } from './run-git.ts'

/** Git in one directory. It takes no lock that it can do without, so it never makes the user's own git wait. */
export type Git = {
  /** The answer to a question. An exit code of 1 is an answer too: git says "no" and "different" by it. */
  ask<T>(query: GitQuery<T>): Promise<T>
  /** As `ask`, but null when git fails: for questions such as "is there a HEAD?". */
  tryAsk<T>(query: GitQuery<T>): Promise<T | null>
  /** The bytes that git prints, for output that is large or not text. Only exit code 0 is an answer. */
  bytes(args: readonly string[]): Promise<Buffer>
  /** What git prints when it is given an input, chunk by chunk. */
  streamWithInput(args: readonly string[], given: GitInput): AsyncIterable<Buffer>
}

/** What git reads on stdin, which exit codes besides 0 are an answer, and a signal that ends it. */
export type GitInput = Pick<GitProcessOptions, 'acceptedExits' | 'signal'> & Required<Pick<GitProcessOptions, 'input'>>

/**
 * Git of one directory. simple-git runs its questions: it lets four processes run at a time, and keeps the caller's
 * GIT_* variables out. With `commonDir` no question waits at a pipe in the place of one of kotef's refs.
 */
export function gitIn(directory: string, commonDir: string | null = null): Git {
  const runner = simpleGit({
    baseDir: directory,
    maxConcurrentProcesses: 4,
    trimmed: false,
    errors: failureOf,
    completion,
    unsafe: OWN_OPTIONS,
  })
  runner.outputHandler((_, stdout) => stdout.once('end', () => stdout.emit('data', EMPTY_CHUNK)))
  return gitPort({ cwd: directory, commonDir }, args =>
    runner.raw([...SAFE_OPTIONS, ...args]).catch((cause: unknown) => {
      throw gitFailure(args, cause instanceof Error ? cause.message.trim() : String(cause), cause)
    }),
  )
}

/** Git of one directory in a given environment, which may name an index or folders of objects. */
export function gitWithEnv(directory: string, env: NodeJS.ProcessEnv, commonDir: string | null = null): Git {
  const options = { cwd: directory, env }
  return gitPort({ ...options, commonDir }, async args =>
    (await readGit(args, { ...options, acceptedExits: [1] })).toString('utf8'),
  )
}

type PortOptions = GitProcessOptions & { readonly commonDir: string | null }

function gitPort({ commonDir, ...options }: PortOptions, read: (args: readonly string[]) => Promise<string>): Git {
  const ask = async <T>({ args, parse }: GitQuery<T>): Promise<T> => {
    if (commonDir !== null) await refuseOddRefs(commonDir, args)
    return parse(await read(args))
  }
  return {
    ask,
    tryAsk: query => ask(query).catch(nullOnGitFailure),
    bytes: args => readGit(args, options),
    streamWithInput: (args, given) => streamGit(args, { ...options, ...given }),
  }
}

// simple-git refuses options that make git run a program. Here they turn a program off, or name one of a person's.
const OWN_OPTIONS = { allowUnsafeFsMonitor: true, allowUnsafeFilter: true, allowUnsafeConfigPaths: true } as const

// An answer is complete when its pipe is closed. simple-git's other rule waits 50 ms after the end of the process.
const completion = { onClose: true, onExit: false } as const

// simple-git waits 50 ms longer for the output of a process that printed nothing, unless it has seen a chunk.
const EMPTY_CHUNK = Buffer.alloc(0)

// A message quotes git's stderr only: its stdout may be the text of a file.
function failureOf(_: unknown, { exitCode, stdErr }: { exitCode: number; stdErr: Buffer[] }): Error | undefined {
  if (exitCode <= 1) return undefined
  return new Error(Buffer.concat(stdErr).toString('utf8').trim() || `exit code ${exitCode}`)
}

function nullOnGitFailure(thrown: unknown): null {
  if (thrown instanceof KotefError && ['git-failed', 'orchestration-unavailable'].includes(thrown.code)) return null
  throw thrown
}
