import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { KotefError } from '../../../core/base/failure.ts'
import { LOG_OPTIONS, type GitQuery } from '../../../core/git/query.ts'

/** Where and how git runs. Without `env` it gets the environment of this process, less the names of a repository. */
export type GitProcessOptions = {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** What git reads on stdin. */
  readonly input?: string | Uint8Array
  /** Exit codes that are an answer, besides 0. */
  readonly acceptedExits?: readonly number[]
  /** Ends git when its answer is no longer wanted. */
  readonly signal?: AbortSignal
}

/** How git ended: its exit code, null when a signal ended it or it could not be started. */
export type GitResult = { readonly exit: number | null; readonly stdout: Buffer; readonly stderr: string }

/** Options of each question: git answers from the real objects, and takes no lock that it can do without. */
export const SAFE_OPTIONS = ['--no-replace-objects', '--no-optional-locks', ...LOG_OPTIONS]

/** Starts git. Only simple-git (`git.ts`) and the git hooks (`git-sync.ts`) start it by other means. */
export function startGit(
  args: readonly string[],
  { cwd, env = withoutRepositoryEnv(process.env), signal }: GitProcessOptions,
): ChildProcessWithoutNullStreams {
  const child = spawn('git', args, { cwd, env, stdio: 'pipe', ...(signal ? { signal } : {}) })
  // A git that ends before it has read its whole input gives the reason by its exit code.
  child.stdin.on('error', () => {})
  return child
}

/** Runs git to its end. Its failure is an answer, and so is a git that can't be started. */
export function runGit(args: readonly string[], options: GitProcessOptions): Promise<GitResult> {
  const child = startGit(args, options)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin.end(options.input)
  return new Promise(resolve => {
    child.once('error', ({ message }) => resolve({ exit: null, stdout: Buffer.alloc(0), stderr: message }))
    child.once('close', exit =>
      resolve({ exit, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }),
    )
  })
}

/** The bytes that git prints. Throws `git-failed` for any other exit code than 0 and the accepted ones. */
export async function readGit(args: readonly string[], options: GitProcessOptions): Promise<Buffer> {
  const { exit, stdout, stderr } = await runGit([...SAFE_OPTIONS, ...args], options)
  if (!isAccepted(exit, options)) throw gitFailure(args, stderr.trim() || `exit code ${exit}`)
  return stdout
}

/** The answer of git, or null when it fails. Loads little: for programs that can't wait until simple-git is loaded. */
export async function askGitDirectly<T>(cwd: string, { args, parse }: GitQuery<T>): Promise<T | null> {
  const { exit, stdout } = await runGit([...SAFE_OPTIONS, ...args], { cwd })
  return exit === 0 ? parse(stdout.toString('utf8')) : null
}

/** What git prints, chunk by chunk. A failure of git is thrown after the last chunk. */
export async function* streamGit(args: readonly string[], options: GitProcessOptions): AsyncGenerator<Buffer, void> {
  const child = startGit([...SAFE_OPTIONS, ...args], options)
  const ended = once(child, 'close') as Promise<[number | null]>
  ended.catch(() => {})
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_CHARS_MAX)))
  child.stdin.end(options.input)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const [exit] = await ended
    if (!isAccepted(exit, options)) throw gitFailure(args, stderr.trim() || `exit code ${exit}`)
  } finally {
    child.kill()
  }
}

/** How much of the end of git's complaints a message may need. */
export const STDERR_CHARS_MAX = 4_000

function isAccepted(exit: number | null, { acceptedExits = [] }: GitProcessOptions): boolean {
  return exit === 0 || (exit !== null && acceptedExits.includes(exit))
}

/** The error for a git command that failed. */
export function gitFailure(args: readonly string[], reason: string, cause?: unknown): KotefError {
  return new KotefError('git-failed', `git ${args.join(' ')} failed: ${reason}`, cause === undefined ? {} : { cause })
}

/** The environment without the variables that name a repository. The user's configuration stays in it. */
export function withoutRepositoryEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.test(name)))
}

const REPOSITORY_VARIABLES = new RegExp(
  '^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|CONFIG|PREFIX|NAMESPACE|SHALLOW_FILE|GRAFT_FILE|' +
    'OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|TRACE2.*)$',
)

/**
 * Those of some paths that gitignore ignores. A directory with a tracked file in it is not ignored. With `byOwnRules`
 * the list that the setting `core.excludesFile` names does not count.
 */
export async function findIgnored(
  root: string,
  paths: readonly string[],
  { byOwnRules = false }: { readonly byOwnRules?: boolean } = {},
): Promise<string[]> {
  const settings = byOwnRules ? ['-c', 'core.excludesFile=/dev/null'] : []
  // In a large tree git takes long to find out whether a directory has a tracked file, so it is asked only for those
  // that a line of gitignore matches.
  const matched = await checkIgnore(root, { paths, settings, options: ['--no-index'] })
  return checkIgnore(root, { paths: matched, settings })
}

type CheckIgnoreOptions = {
  readonly paths: readonly string[]
  readonly settings: readonly string[]
  readonly options?: readonly string[]
}

// Git stops at a path that it refuses, such as one behind a symlink. Then the rest counts as not ignored.
async function checkIgnore(root: string, { paths, settings, options = [] }: CheckIgnoreOptions): Promise<string[]> {
  if (paths.length === 0) return []
  const { stdout } = await runGit(['--no-optional-locks', ...settings, 'check-ignore', '--stdin', '-z', ...options], {
    cwd: root,
    // Without `./`, git would stop at a name that begins like the magic of a pathspec.
    input: paths.map(it => `./${it}\0`).join(''),
  })
  const found = stdout.toString('utf8').split('\0')
  return found.flatMap(it => (it.startsWith('./') ? it.slice(2) : []))
}
