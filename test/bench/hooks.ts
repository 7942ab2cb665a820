import type { Repo } from '../rig/repo.ts'
import { measureRefusal } from './refusal.ts'
import { copyWithFreshIndex, generateRepo } from './repositories.ts'
import { type BenchStage, commitTimes } from './rounds.ts'
import { BARE, DIRECT, MANY_PATTERNS, SET_UPS } from './set-ups.ts'
import { type Cost, costOf } from './statistics.ts'

const ROUNDS = 21
const SMALL = 2000
const LARGE = 50_000

type Costs = ReadonlyMap<string, Cost>

/** What a commit costs in each way to have hooks. Progress goes to stderr: it takes minutes. */
export async function benchHooks(print: (text: string) => void): Promise<void> {
  await using small = await generateRepo(SMALL)
  const few = await measureSetUps(small)
  const refusal = await measureRefusal(small, ROUNDS)
  await using large = await generateRepo(LARGE)
  const many = await measureSetUps(large)
  print(`A commit of one changed file: medians of ${ROUNDS} interleaved runs, each compared with no hooks\n`)
  print([...costTable(few, many), '', ...goalsOf(few, many, refusal), ''].join('\n'))
}

/** Each set-up in a copy of its own. */
async function measureSetUps(model: Repo): Promise<Costs> {
  const stages: BenchStage[] = []
  try {
    for (const { name, prepare } of SET_UPS) {
      process.stderr.write(`  ${name}\n`)
      const repo = await copyWithFreshIndex(model)
      stages.push({ name, repo, exit: 0, prepare: round => change(repo, round) })
      await prepare(repo)
    }
    const times = await commitTimes(stages, ROUNDS)
    const bare = times.get(BARE) ?? []
    return new Map([...times].map(([name, all]) => [name, costOf(all, bare)]))
  } finally {
    for (const { repo } of stages) await repo[Symbol.asyncDispose]()
  }
}

async function change(repo: Repo, round: number): Promise<void> {
  await repo.write('bench/file.txt', `round ${round}\n`)
  await repo.git('add', 'bench/file.txt')
}

function costTable(few: Costs, many: Costs): string[] {
  const heads = [SMALL, LARGE].map(it => `${it.toLocaleString('en')} files`.padStart(30)).join('')
  const units = '        ms     ratio   added ms'.padStart(30)
  const rows = [...few].map(([name, cost]) => `${name.padEnd(28)}${cells(cost)}${cells(many.get(name))}`)
  return [`${''.padEnd(28)}${heads}`, `${''.padEnd(28)}${units}${units}`, ...rows]
}

function cells(cost: Cost | undefined): string {
  const { ms, ratio, addedMs } = cost ?? { ms: Number.NaN, ratio: Number.NaN, addedMs: Number.NaN }
  return [ms.toFixed(1), ratio.toFixed(2), addedMs.toFixed(1)].map(it => it.padStart(10)).join('')
}

function goalsOf(few: Costs, many: Costs, refusal: Cost): string[] {
  const direct = few.get(DIRECT)
  return [
    goalLine(`${DIRECT}: at most 2.5 times no hooks`, direct?.ratio, 2.5),
    goalLine(`${DIRECT}: at most 12 ms more than no hooks`, direct?.addedMs, 12),
    goalLine(`${MANY_PATTERNS}, ${LARGE} files: at most 15 ms more`, many.get(MANY_PATTERNS)?.addedMs, 15),
    goalLine('a refusal: at most 1.5 times one empty Node start and its git calls', refusal.ratio, 1.5),
  ]
}

function goalLine(wish: string, found = Number.NaN, atMost: number): string {
  return `${found <= atMost ? 'met    ' : 'not met'}  ${wish}: ${found.toFixed(2)}`
}
