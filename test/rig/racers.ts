import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryRoot } from './packed-kotef.ts'
import type { RunningProgram } from './running-program.ts'
import type { Repo } from './repo.ts'

/** Processes that race; they are killed when the test is over. */
export type Racers = AsyncDisposable & {
  /** Has each of them select an intent, all at once; what each answers. */
  select(intent: string): Promise<string[]>
}

/** A process in each of some worktrees. */
export async function startRacers(repo: Repo, worktrees: readonly string[]): Promise<Racers> {
  const racers = await Promise.all(worktrees.map((at, n) => startRacer(repo, at, `agent-${n}`)))
  return {
    select(intent) {
      for (const racer of racers) racer.type(`${intent}\n`)
      const answers = racers.map(it => it.line(new RegExp(`^${intent} `)))
      return Promise.all(answers.map(async it => (await it).slice(intent.length + 1)))
    },
    async [Symbol.asyncDispose]() {
      for (const racer of racers) await racer[Symbol.asyncDispose]()
    },
  }
}

/** Starts a process in a worktree that selects the intents it is told on stdin; it is ready. See `racer.ts`. */
export async function startRacer(repo: Repo, at: string, ...words: string[]): Promise<RunningProgram> {
  const racer = repo.start(process.execPath, [bundleProgram('racer'), ...words], { cwd: at })
  await racer.line(/^ready$/)
  return racer
}

const built = new Map<string, string>()

/** The file of a program of the rig, by the name of its source, made once a worker: for a process of its own. */
export function bundleProgram(name: string): string {
  const known = built.get(name)
  if (known !== undefined) return known
  const outfile = join(repositoryRoot, `node_modules/.cache/kotef/${name}.mjs`)
  const how = ['--bundle', '--packages=external', '--platform=node', '--format=esm', '--target=node20']
  const words = [join(import.meta.dirname, `${name}.ts`), ...how, `--outfile=${outfile}`, '--log-level=warning']
  execFileSync(join(repositoryRoot, 'node_modules/.bin/esbuild'), [...words, '--define:KOTEF_VERSION="0.0.0"'])
  built.set(name, outfile)
  return outfile
}
