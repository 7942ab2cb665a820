import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import type { RunningProgram } from '../rig/running-program.ts'
import { type Random, randomFrom } from '../rig/random.ts'
import type { Repo } from '../rig/repo.ts'
import { oidOf, type Tree } from '../rig/tree.ts'
import { chainFaults, ledgerWrites } from '../rig/ledger-writes.ts'
import { countRows, differencesOf } from './compare.ts'
import { EDITS } from './edits.ts'
import { BRANCHES_SCRIPT, type GitOperation, GIT_OPERATIONS, scriptOf } from './git-operations.ts'
import {
  beginRound,
  markCommitted,
  endRound,
  recordStep,
  markFailedMerge,
  type SoakModel,
  modelOf,
  type Moment,
  markPacked,
  markLeftOut,
  markStaged,
  markFromGit,
  markThrownAway,
} from './model.ts'

/** The first round after which the ledger is not what was done. */
export type Difference = {
  readonly round: number
  readonly differences: string[]
  readonly operations: string[]
  readonly lives: string[]
}

export type SoakOptions = {
  readonly seed: number
  /** Operations to leave out: those in whose words this stands. */
  readonly without?: RegExp
  /** Is told how often each row of the table decided between git and a person. */
  readonly counted?: (rows: ReadonlyMap<string, number>) => void
  /** Whether to play one more round. */
  more(round: number): boolean
}

type SoakState = {
  readonly without: RegExp | undefined
  readonly operations: readonly GitOperation[]
  readonly repo: Repo
  readonly random: Random
  readonly model: SoakModel
  daemon: RunningProgram | null
  /** Every daemon so far: with KOTEF_LOG=debug it says which row of the table decided. */
  readonly daemons: RunningProgram[]
  round: number
  operationLog: string[]
  lines: number
}

/** Works at random under a daemon that is killed and started again; compares after each round. */
export async function runSoak({ seed, without, more, counted = () => {} }: SoakOptions): Promise<Difference | null> {
  await using repo = await governedRepo(FILES)
  await repo.run('sh', ['-c', BRANCHES_SCRIPT])
  const operations = GIT_OPERATIONS.filter(it => !without?.test(it.script))
  const [random, model] = [randomFrom(seed), modelOf(repo.root)]
  const world: SoakState = {
    repo,
    without,
    operations,
    random,
    model,
    daemon: null,
    daemons: [],
    round: 0,
    operationLog: [],
    lines: 0,
  }
  await startDaemon(world)
  try {
    return await playRounds(world, more)
  } finally {
    counted(countRows(world.daemons.flatMap(it => it.lines)))
  }
}

async function playRounds(world: SoakState, more: SoakOptions['more']): Promise<Difference | null> {
  let before = 0
  for (let round = 0; more(round); round++) {
    world.round = round
    await playRound(world)
    const { differences, count } = await compareLedger(world, before)
    if (differences.length > 0)
      return { round, differences, operations: world.operationLog, lives: historyOfPaths(differences, world) }
    before = count
  }
  return null
}

// What each path of a difference has held since the beginning, and the rows that judged it.
function historyOfPaths(differences: readonly string[], { model: { history }, daemons }: SoakState): string[] {
  const judged = daemons.flatMap(it => it.lines.filter(line => line.startsWith('judged ')))
  const paths = [...history.keys()].filter(path => differences.some(it => it.includes(path)))
  return paths.flatMap(path => {
    const rows = judged.filter(it => it.startsWith(`judged ${path}: `))
    return [path, ...[...(history.get(path) ?? []), ...rows].slice(-HISTORY_MAX).map(it => `  ${it}`)]
  })
}

const HISTORY_MAX = 30

const FILES = Object.fromEntries(
  Array.from({ length: 36 }, (_, n) => [`src/d${n % 6}/f${Math.floor(n / 6)}.ts`, `file ${n}\n`.repeat(8)]),
)

async function playRound(world: SoakState): Promise<void> {
  const { random, model } = world
  beginRound(model, world.daemon === null)
  world.operationLog = []
  for (let left = 5 + random.below(20); left > 0; left--) {
    await step(world)
    // A round must meet the daemon at any point of its work.
    if (random.below(3) === 0) await pause(random.below(60))
  }
  if (!world.daemon) await startDaemon(world)
}

async function step(world: SoakState): Promise<void> {
  const chance = world.random.below(100)
  if (chance < 4) return endDaemon(world, chance < 3 ? 'SIGKILL' : 'SIGTERM')
  if (chance < 8) return world.daemon ? undefined : startDaemon(world)
  return chance < 65 || world.operations.length === 0 ? edit(world) : workWithGit(world, chance < 72)
}

function edit(world: SoakState): void {
  const { words, moments = [] } = world.random.pick(EDITS)({ ...world, ...editContext(world) })
  world.operationLog.push(words)
  recordStep(world.model, world.repo.root, { by: 'somebody', words: `${world.round}: ${words}`, moments })
}

function editContext(world: SoakState) {
  const paths = [...world.model.tree.keys()].filter(it => it.startsWith('src/')).sort()
  return { root: world.repo.root, paths, line: () => `line ${world.lines++}\n` }
}

/** Lets git work, if told so while somebody else writes files that git knows nothing of. */
async function workWithGit(world: SoakState, isBusy: boolean): Promise<void> {
  const { repo, random, model } = world
  const { script: pattern, by } = random.pick(world.operations)
  const script = scriptOf(pattern, random, editContext(world).paths)
  world.operationLog.push(isBusy ? `${script}, and writes to busy/ meanwhile` : script)
  if (pattern.includes('git merge')) markFailedMerge(model)
  if (pattern.includes('git gc')) markPacked(model)
  const tracked = await indexOf(repo)
  if (/git stash (pop|apply)/.test(pattern)) for (const path of await unreachablePaths(repo)) model.reset.add(path)
  if (THROWS_AWAY.test(pattern)) markThrownAway(model, await headOf(repo))
  const thrownAway = THROWS_AWAY.test(pattern) ? await dirtyIn(repo) : new Set<string>()
  const work = repo.run('sh', ['-c', script])
  const moments = isBusy ? await writeBusily(world, work) : []
  const { code } = await work
  world.operationLog.push(`  (ended with ${code})`)
  recordStep(model, repo.root, { by, words: `${world.round}: ${script}`, moments, thrownAway })
  if (/reset .*HEAD~1/.test(pattern)) markLeftOut(model, await headOf(repo))
  if (pattern.includes('git add')) markStaged(model)
  if (pattern.includes('git commit')) markCommitted(model, await dirtyIn(repo))
  // What `git add` takes out of the index, somebody has removed.
  if (pattern.includes('git add')) return
  const now = await indexOf(repo)
  if (pattern.includes('git reset')) for (const path of treeDifferences(tracked, now)) model.reset.add(path)
  markFromGit(model, tracked, now)
}

const THROWS_AWAY = /checkout -q -f|reset -q --(hard|merge)|--abort/

/** What was gone when it went into the newest stash: where that comes back in a conflict, all is put away at once. */
async function unreachablePaths(repo: Repo): Promise<string[]> {
  const { stdout } = await repo.run('git', ['stash', 'show', '-z', '--name-only', '--diff-filter=D', '--no-renames'])
  return stdout.split('\0')
}

async function headOf(repo: Repo): Promise<Set<string>> {
  return new Set((await repo.git('ls-tree', '-r', '-z', '--name-only', 'HEAD')).split('\0'))
}

async function indexOf(repo: Repo): Promise<Tree> {
  const entries = (await repo.git('ls-files', '-z', '--stage')).matchAll(/ ([0-9a-f]+) 0\t([^\0]+)/g)
  return new Map([...entries].map(([, oid = '', path = '']) => [path, oid]))
}

async function writeBusily({ repo, model }: SoakState, work: Promise<unknown>): Promise<Moment[]> {
  const moments: Moment[] = []
  let over = false
  void work.then(() => (over = true))
  mkdirSync(join(repo.root, 'busy'), { recursive: true })
  while (!over) {
    const [path, text] = [`busy/${moments.length % 5}.ts`, `busy ${model.made.size} ${moments.length}\n`]
    writeFileSync(join(repo.root, path), text)
    moments.push([path, oidOf(text)])
    await pause(2)
  }
  return moments
}

async function startDaemon(world: SoakState): Promise<void> {
  world.operationLog.push('start the daemon')
  world.daemon = world.repo.start('kotef-watch', [], { env: { KOTEF_LOG: 'debug' } })
  world.daemons.push(world.daemon)
  await world.daemon.line(/kotef is watching/)
  world.model.watched = true
}

async function endDaemon(world: SoakState, signal: NodeJS.Signals): Promise<void> {
  const words = `end the daemon by ${signal}`
  if (!world.daemon || world.without?.test(words)) return
  world.operationLog.push(words)
  world.daemon.signal(signal)
  await world.daemon.ended
  world.daemon = null
  Object.assign(world.model, { watched: false, unwatched: true })
}

async function compareLedger({ repo, model }: SoakState, before: number) {
  if (!(await flushDaemon(await openWorkspace(repo.root), FLUSH_MS))) throw new Error('The daemon has ended by itself.')
  const ledger = await repo.read('.orchestration/agent_trace.jsonl')
  const written = ledgerWrites(ledger)
  const dirty = await dirtyIn(repo)
  endRound(model)
  const differences = [...chainFaults(ledger), ...differencesOf(model, { written, before, dirty })]
  return { differences, count: written.length }
}

function treeDifferences(one: Tree, other: Tree): string[] {
  return [...one.keys(), ...other.keys()].filter(it => !one.has(it) || !other.has(it))
}

async function dirtyIn(repo: Repo): Promise<Set<string>> {
  const status = await repo.git('status', '--porcelain', '-z', '--untracked-files=all', '--no-renames')
  return new Set(status.split('\0').map(it => it.slice(3)))
}

const FLUSH_MS = 60_000
