import { appendFileSync, chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { RunningProgram } from '../rig/running-program.ts'
import type { Repo } from '../rig/repo.ts'
import { putFile } from './random-operations.ts'
import { type Effort, type Measure, progress, type Row } from './row.ts'
import { createBenchRepo, flushLedger, memoryOf } from './watched-repo.ts'

/** Something that is done to many files at once, and what has to be there before. */
type Burst = {
  readonly isTracked: boolean
  readonly prepare?: (repo: Repo, count: number) => unknown
  readonly act: (repo: Repo, count: number) => unknown
}

const pathOf = (n: number): string => `src/d${Math.floor(n / 50)}/f${n}.ts`
const each = (count: number, work: (path: string, n: number) => void): void => {
  for (let n = 0; n < count; n++) work(pathOf(n), n)
}
const create = ({ root }: Repo, count: number) => each(count, (path, n) => putFile(root, path, `new ${n}\nline\n`))
const modify = ({ root }: Repo, count: number) =>
  each(count, (path, n) => appendFileSync(join(root, path), `more ${n}\n`))
const commitOther = `git switch -qc other; git ls-files -z src | xargs -0 -n 1 sh -c 'echo more >>"$0"'
  git -c core.hooksPath=/dev/null commit -qam other; git switch -q main`

const BURSTS: Readonly<Record<string, Burst>> = {
  create: { isTracked: false, act: create },
  modify: { isTracked: true, act: modify },
  delete: { isTracked: true, act: ({ root }) => rmSync(join(root, 'src'), { recursive: true }) },
  'rename a folder': { isTracked: true, act: ({ root }) => renameSync(join(root, 'src'), join(root, 'lib')) },
  chmod: { isTracked: true, act: ({ root }, count) => each(count, path => chmodSync(join(root, path), 0o755)) },
  switch: {
    isTracked: true,
    prepare: repo => repo.run('sh', ['-ec', commitOther]),
    act: repo => repo.git('switch', '-q', 'other'),
  },
  stash: { isTracked: true, prepare: modify, act: repo => repo.git('stash', '-q') },
  clean: { isTracked: false, prepare: create, act: repo => repo.git('clean', '-fdq', 'src') },
}

const SIZES = [1_000, 4_000, 16_000]

/** How the time for a burst grows with the number of files, the longest turn of the event loop, and memory. */
export const measureGrowth: Measure = async effort => {
  const rows: Row[] = []
  for (const [name, burst] of Object.entries(BURSTS)) {
    const found: BurstCost[] = []
    for (const count of effort.isQuick ? SIZES.slice(0, 2) : SIZES) {
      progress(`${name}: ${count} files`)
      found.push(await costOfBurst(burst, count, effort))
    }
    rows.push(growthRow(name, found), turnRow(name, found))
  }
  return rows
}

type BurstCost = { readonly ms: number; readonly turnMs: number; readonly mb: number }

function growthRow(name: string, found: readonly BurstCost[]): Row {
  const steps = found.slice(1).map((it, n) => it.ms / (found[n]?.ms ?? Number.NaN))
  const times = found.map(it => `${(it.ms / 1000).toFixed(1)} s`).join(', ')
  const words = steps.map(it => `${it.toFixed(1)}x`).join(', ')
  const memory = `${Math.max(...found.map(it => it.mb)).toFixed(0)} MB`
  const sizes = SIZES.slice(0, found.length).join(', ')
  const met = steps.every(it => it < 5)
  return { measure: `${name} ${sizes} files`, result: `${times} (${words}; ${memory})`, goal: 'below 5x a step', met }
}

function turnRow(name: string, found: readonly BurstCost[]): Row {
  const result = found.map(it => `${it.turnMs.toFixed(0)} ms`).join(', ')
  const met = found.every(it => it.turnMs <= 50)
  return { measure: `${name}: longest turn of the event loop`, result, goal: 'at most 50 ms', met }
}

async function costOfBurst({ isTracked, prepare, act }: Burst, count: number, effort: Effort): Promise<BurstCost> {
  const files = isTracked ? Array.from({ length: count }, (_, n) => [pathOf(n), `old ${n}\nline\nother ${n}\n`]) : []
  await using repo = await createBenchRepo(Object.fromEntries(files), effort)
  const before = isTracked && prepare !== modify ? prepare : undefined
  await before?.(repo, count)
  await using daemon = await startTimedDaemon(repo)
  const workspace = await openWorkspace(repo.root)
  if (!before) await prepare?.(repo, count)
  await flushLedger(workspace)
  daemon.forget()
  const from = performance.now()
  await act(repo, count)
  await flushLedger(workspace)
  const ms = performance.now() - from
  return { ms, turnMs: daemon.longestTurnMs(), mb: memoryOf(daemon.program.pid).mostMb }
}

/** A daemon that notes its longest turn of the event loop in a file. */
export async function startTimedDaemon(repo: Repo) {
  await repo.write('../turns.cjs', TURNS)
  const file = join(repo.base, 'turns')
  const program: RunningProgram = repo.start('kotef-watch', [], {
    env: { NODE_OPTIONS: `--require=${join(repo.base, 'turns.cjs')}`, TURNS_FILE: file },
  })
  await program.line(/kotef is watching/)
  return {
    program,
    forget: () => program.signal('SIGUSR2'),
    longestTurnMs: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

// A timer that is late shows how long the turn before it took.
const TURNS = `const { writeFileSync } = require('node:fs')
if (require('node:worker_threads').isMainThread && process.argv[1]?.includes('watch')) {
  let [last, most] = [performance.now(), 0]
  setInterval(() => {
    const now = performance.now()
    if (now - last - 5 > most) writeFileSync(process.env.TURNS_FILE, String((most = now - last - 5)))
    last = performance.now()
  }, 5).unref()
  process.on('SIGUSR2', () => writeFileSync(process.env.TURNS_FILE, String((most = 0))))
}
`
