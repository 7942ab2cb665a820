import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '../rig/packed.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { median, shuffled } from './statistics.ts'

/** What a commit costs in each of four set-ups of one repository. Ratios and added times are to no hooks. */
export type CommitCost = {
  readonly setUp: string
  readonly ms: number
  readonly ratio: number
  readonly addedMs: number
}

type SetUp = { readonly name: string; prepare(repo: Repo): Promise<void> }

export const DIRECT = 'kotef direct'
export const EMPTY_NODE = 'one empty Node hook'

const setUps: readonly SetUp[] = [
  { name: 'no hooks', prepare: async () => {} },
  { name: DIRECT, prepare: repo => govern(repo, 'git') },
  { name: 'kotef under husky', prepare: husky },
  { name: EMPTY_NODE, prepare: repo => repo.write('.git/hooks/pre-commit', '#!/usr/bin/env node\n', 0o755) },
]

/** Commits in turn, in an order that changes with each round, so that what else the machine does hits all alike. */
export async function measureCommits(fill: (repo: Repo) => Promise<void>, rounds: number): Promise<CommitCost[]> {
  const stages = new Map<string, Repo>()
  try {
    for (const setUp of setUps) stages.set(setUp.name, await stageFor(setUp, fill))
    return costsOf(await timesOf(stages, rounds))
  } finally {
    for (const repo of stages.values()) await repo[Symbol.asyncDispose]()
  }
}

async function stageFor({ prepare }: SetUp, fill: (repo: Repo) => Promise<void>): Promise<Repo> {
  const repo = await temporaryRepo()
  await fill(repo)
  await prepare(repo)
  return repo
}

async function timesOf(stages: ReadonlyMap<string, Repo>, rounds: number): Promise<Map<string, number[]>> {
  const times = new Map(setUps.map(it => [it.name, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, repo] of shuffled([...stages])) {
      const ms = await timedCommit(repo, round)
      if (round >= 0) times.get(name)?.push(ms) // The round before the first warms the caches.
    }
  }
  return times
}

function costsOf(times: ReadonlyMap<string, readonly number[]>): CommitCost[] {
  const bare = times.get('no hooks') ?? []
  return [...times].map(([setUp, all]) => ({
    setUp,
    ms: median(all),
    ratio: median(all.map((ms, round) => ms / (bare[round] ?? Number.NaN))),
    addedMs: median(all) - median(bare),
  }))
}

async function timedCommit(repo: Repo, round: number): Promise<number> {
  await repo.write('bench/file.txt', `round ${round}\n`)
  await repo.git('add', 'bench/file.txt')
  const options = { cwd: repo.root, env: repo.env(), encoding: 'utf8' } as const
  const from = performance.now()
  const { status, stderr } = spawnSync('git', ['commit', '--quiet', '--message', `round ${round}`], options)
  const ms = performance.now() - from
  if (status !== 0) throw new Error(`git commit ended with ${status}:\n${stderr}`)
  return ms
}

/** A clone of the repository that the benches stand in, without its own governance. */
export async function cloneOfThis(repo: Repo): Promise<void> {
  await rm(join(repo.root, '.git'), { recursive: true })
  await repo.git('clone', '--quiet', '--no-hardlinks', repositoryRoot, '.')
  const governance = ['.orchestration', '.sdd', '.husky', '.intentignore', '.gitignore']
  await repo.git('rm', '-r', '--quiet', '--ignore-unmatch', ...governance)
  await repo.git('commit', '--quiet', '--allow-empty', '--message', 'as if kotef had never been here')
}

/** A repository of so many small files, 40 to a folder. */
export async function generated(repo: Repo, files: number): Promise<void> {
  for (let n = 0; n < files; n++) {
    await repo.write(`part-${Math.floor(n / 40)}/file-${n}.ts`, `export const value = ${n}\n`.repeat(20))
  }
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'all files')
}

async function husky(repo: Repo): Promise<void> {
  const { code, stderr } = await repo.run('node', [join(repositoryRoot, 'node_modules/husky/bin.js')])
  if (code !== 0) throw new Error(`husky ended with ${code}:\n${stderr}`)
  await govern(repo, 'husky')
}

/** Adopts kotef and starts an intent that owns what the bench writes. */
export async function govern(repo: Repo, hooks: 'git' | 'husky'): Promise<void> {
  await must(repo, 'init', '--yes', '--hooks', hooks)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'adopt kotef', '--message', 'Governance: adopt kotef')
  await must(repo, 'intent', 'add', '--id', 'BENCH-1', '--name', 'bench', '--scope', 'bench/**')
  await must(repo, 'intent', 'start', 'BENCH-1')
  await repo.git(
    'commit',
    '--quiet',
    '--all',
    '--message',
    'the intent',
    '--message',
    'Governance: the intent of the bench',
  )
}

async function must(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}
