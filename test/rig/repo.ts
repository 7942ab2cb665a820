import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endProcessesOf } from './end-processes.ts'
import { packedKotef } from './packed-kotef.ts'
import { type RunningProgram, startProgram } from './running-program.ts'
import { type ProgramOptions, type ProgramResult, runProgram } from './run-program.ts'
import { sealedEnvironment } from './sealed-environment.ts'

type More = {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: ProgramOptions['input']
  readonly cwd?: string
}

/** A real git repository in a sealed temporary folder. Each command in it is one second later than the one before. */
export type Repo = AsyncDisposable & {
  /** Absolute path of the worktree, symlinks resolved. */
  readonly root: string
  /** A folder around the worktree: HOME is in it, and there is room for linked worktrees and clones. */
  readonly base: string
  /** Runs git, which must succeed; what it prints. */
  git(...args: string[]): Promise<string>
  /** Runs the built CLI. */
  kotef(...words: string[]): Promise<ProgramResult>
  run(command: string, args?: readonly string[], more?: More): Promise<ProgramResult>
  /** Runs commands of a shell, one after the other, whatever becomes of each. */
  play(commands: string, env?: Readonly<Record<string, string>>): Promise<ProgramResult>
  /** Starts a program that goes on running, in the sealed environment. */
  start(command: string, args?: readonly string[], more?: More): RunningProgram
  write(path: string, bytes: string | Buffer, mode?: number): Promise<void>
  read(path: string): Promise<string>
  /** The sealed environment of the next command. */
  env(): Record<string, string>
}

/** An empty repository on branch `main`; with files, they are its first commit. */
export async function temporaryRepo(files: Readonly<Record<string, string | Buffer>> = {}): Promise<Repo> {
  const repo = repoAt(newFolder())
  await mkdir(repo.root)
  await repo.git('init', '--quiet', '--initial-branch=main')
  for (const [path, bytes] of Object.entries(files)) await repo.write(path, bytes)
  if (Object.keys(files).length === 0) return repo
  await repo.git('add', '--all', '--force')
  await repo.git('commit', '--quiet', '--message', 'first')
  return repo
}

/** A copy of a repository, to the last time stamp, in a temporary folder of its own. */
export function copyRepo({ root }: Pick<Repo, 'root'>): Repo {
  const copy = repoAt(newFolder())
  copyFolder(root, copy.root, COPIES_MAX)
  return copy
}

// What a daemon has started may still be at work in the folder, and remove a file that `cp` has just listed. Node's own
// copying takes seven times as long.
function copyFolder(from: string, to: string, attempts: number): void {
  try {
    execFileSync('cp', ['-pR', from, to], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (thrown) {
    if (attempts <= 1) throw thrown
    rmSync(to, { recursive: true, force: true })
    copyFolder(from, to, attempts - 1)
  }
}

const COPIES_MAX = 5

function newFolder(): string {
  return mkdtempSync(join(realpathSync(tmpdir()), 'r-'))
}

function repoAt(base: string): Repo {
  const root = join(base, 'repo')
  let second = 0
  const env = () => ({ ...sealedEnvironment({ home: join(base, 'home'), bin: packedKotef().bin, second: second++ }) })
  const around = (more: More) => ({ cwd: root, ...more, env: { ...env(), ...more.env } })
  const repo: Repo = {
    root,
    base,
    env,
    git: async (...args) => stdoutOf(['git', ...args], await repo.run('git', args)),
    kotef: (...words) => repo.run('kotef', words),
    run: (command, args = [], more = {}) => runProgram(command, args, around(more)),
    play: (commands, env = {}) => repo.run('sh', ['-c', commands], { env }),
    start: (command, args = [], more = {}) => startProgram(command, args, around(more)),
    write: (path, bytes, mode) => writeAt(join(root, path), bytes, mode),
    read: path => readFile(join(root, path), 'utf8'),
    async [Symbol.asyncDispose]() {
      endProcessesOf(base)
      await rm(base, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  return repo
}

function stdoutOf(words: readonly string[], { code, stdout, stderr }: ProgramResult): string {
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
  return stdout
}

async function writeAt(path: string, bytes: string | Buffer, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  if (mode !== undefined) await chmod(path, mode)
}
