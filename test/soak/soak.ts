import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { flushDaemon } from '../../src/workspace/daemon-address.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { governedRepo } from '../rig/governed.ts'
import type { Started } from '../rig/process.ts'
import { type Random, randomFrom } from '../rig/random.ts'
import type { Repo } from '../rig/repo.ts'
import { oidOf, type Tree } from '../rig/tree.ts'
import { chainFaults, writtenIn } from '../rig/written.ts'
import { differencesOf } from './compare.ts'
import { EDITS } from './edits.ts'
import { BRANCHES_SCRIPT, type GitOperation, OPERATIONS, scriptOf } from './git-operations.ts'
import {
  beginRound,
  commit,
  endRound,
  lookAfter,
  merge,
  type Model,
  modelOf,
  type Moment,
  pack,
  stage,
  takeFromGit,
  throwAway,
} from './model.ts'

/** The first round after which the ledger is not what was done. */
export type Difference = {
  readonly round: number
  readonly differences: string[]
  readonly operations: string[]
  readonly lives: string[]
}

export type Soak = {
  readonly seed: number
  /** Operations to leave out: those in whose words this stands. */
  readonly without?: RegExp
  /** Whether to play one more round. */
  more(round: number): boolean
}

type World = {
  readonly without: RegExp | undefined
  readonly operations: readonly GitOperation[]
  readonly repo: Repo
  readonly random: Random
  readonly model: Model
  daemon: Started | null
  round: number
  told: string[]
  lines: number
}

/** Works at random under a daemon that is killed and started again; compares after each round. */
export async function soak({ seed, without, more }: Soak): Promise<Difference | null> {
  await using repo = await governedRepo(FILES)
  await repo.run('sh', ['-c', BRANCHES_SCRIPT])
  const operations = OPERATIONS.filter(it => !without?.test(it.script))
  const [random, model] = [randomFrom(seed), modelOf(repo.root)]
  const world: World = { repo, without, operations, random, model, daemon: null, round: 0, told: [], lines: 0 }
  await startDaemon(world)
  let before = 0
  for (let round = 0; more(round); round++) {
    world.round = round
    await playRound(world)
    const { differences, count } = await compared(world, before)
    if (differences.length > 0)
      return { round, differences, operations: world.told, lives: livesIn(differences, model) }
    before = count
  }
  return null
}

// What each path that is spoken of has held, since the beginning.
function livesIn(differences: readonly string[], { lives }: Model): string[] {
  const paths = [...lives.keys()].filter(path => differences.some(it => it.includes(path)))
  return paths.flatMap(path => [path, ...(lives.get(path) ?? []).slice(-LIFE_MAX).map(it => `  ${it}`)])
}

const LIFE_MAX = 30

const FILES = Object.fromEntries(
  Array.from({ length: 36 }, (_, n) => [`src/d${n % 6}/f${Math.floor(n / 6)}.ts`, `file ${n}\n`.repeat(8)]),
)

async function playRound(world: World): Promise<void> {
  const { random, model } = world
  beginRound(model, world.daemon === null)
  world.told = []
  for (let left = 5 + random.below(20); left > 0; left--) {
    await step(world)
    // A round must meet the daemon at any point of its work.
    if (random.below(3) === 0) await pause(random.below(60))
  }
  if (!world.daemon) await startDaemon(world)
}

async function step(world: World): Promise<void> {
  const chance = world.random.below(100)
  if (chance < 4) return endDaemon(world, chance < 3 ? 'SIGKILL' : 'SIGTERM')
  if (chance < 8) return world.daemon ? undefined : startDaemon(world)
  return chance < 65 || world.operations.length === 0 ? edit(world) : workWithGit(world, chance < 72)
}

function edit(world: World): void {
  const { words, moments = [] } = world.random.pick(EDITS)({ ...world, ...deskOf(world) })
  world.told.push(words)
  lookAfter(world.model, world.repo.root, { by: 'somebody', words: `${world.round}: ${words}`, moments })
}

function deskOf(world: World) {
  const paths = [...world.model.tree.keys()].filter(it => it.startsWith('src/')).sort()
  return { root: world.repo.root, paths, line: () => `line ${world.lines++}\n` }
}

/** Lets git work, if told so while somebody else writes files that git knows nothing of. */
async function workWithGit(world: World, isBusy: boolean): Promise<void> {
  const { repo, random, model } = world
  const { script: pattern, by } = random.pick(world.operations)
  const script = scriptOf(pattern, random, deskOf(world).paths)
  world.told.push(isBusy ? `${script}, and writes to busy/ meanwhile` : script)
  if (pattern.includes('git merge')) merge(model)
  if (pattern.includes('git gc')) pack(model)
  const tracked = await indexOf(repo)
  if (/git stash (pop|apply)/.test(pattern)) for (const path of await lostIn(repo)) model.reset.add(path)
  if (THROWS_AWAY.test(pattern)) throwAway(model, await headOf(repo))
  const thrownAway = THROWS_AWAY.test(pattern) ? await dirtyIn(repo) : new Set<string>()
  const work = repo.run('sh', ['-c', script])
  const moments = isBusy ? await writeBusily(world, work) : []
  const { code } = await work
  world.told.push(`  (ended with ${code})`)
  lookAfter(model, repo.root, { by, words: `${world.round}: ${script}`, moments, thrownAway })
  if (pattern.includes('git add')) stage(model)
  if (pattern.includes('git commit')) commit(model, await dirtyIn(repo))
  // What `git add` takes out of the index, somebody has removed.
  if (pattern.includes('git add')) return
  const now = await indexOf(repo)
  if (pattern.includes('git reset')) for (const path of unlike(tracked, now)) model.reset.add(path)
  takeFromGit(model, tracked, now)
}

const THROWS_AWAY = /checkout -q -f|reset -q --(hard|merge)|--abort/

/** What was gone when it went into the newest stash: where that comes back in a conflict, all is put away at once. */
async function lostIn(repo: Repo): Promise<string[]> {
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

async function writeBusily({ repo, model }: World, work: Promise<unknown>): Promise<Moment[]> {
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

async function startDaemon(world: World): Promise<void> {
  world.told.push('start the daemon')
  world.daemon = world.repo.start('kotef-watch')
  await world.daemon.line(/kotef watches/)
  world.model.watched = true
}

async function endDaemon(world: World, signal: NodeJS.Signals): Promise<void> {
  const words = `end the daemon by ${signal}`
  if (!world.daemon || world.without?.test(words)) return
  world.told.push(words)
  world.daemon.signal(signal)
  await world.daemon.ended
  world.daemon = null
  Object.assign(world.model, { watched: false, unwatched: true })
}

async function compared({ repo, model }: World, before: number) {
  if (!(await flushDaemon(await openWorkspace(repo.root), FLUSH_MS))) throw new Error('The daemon has ended by itself.')
  const ledger = await repo.read('.orchestration/agent_trace.jsonl')
  const written = writtenIn(ledger)
  const dirty = await dirtyIn(repo)
  endRound(model)
  const differences = [...chainFaults(ledger), ...differencesOf(model, { written, before, dirty })]
  return { differences, count: written.length }
}

function unlike(one: Tree, other: Tree): string[] {
  return [...one.keys(), ...other.keys()].filter(it => !one.has(it) || !other.has(it))
}

async function dirtyIn(repo: Repo): Promise<Set<string>> {
  const status = await repo.git('status', '--porcelain', '-z', '--untracked-files=all', '--no-renames')
  return new Set(status.split('\0').map(it => it.slice(3)))
}

const FLUSH_MS = 60_000
