import { spawnSync } from 'node:child_process'
import type { Repo } from '../rig/repo.ts'
import { ledgerWrites } from '../rig/ledger-writes.ts'
import { copyWithFreshIndex } from './repositories.ts'
import { type Measure, progress } from './row.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { createBenchRepo, ledgerText, startWatchedRepo } from './watched-repo.ts'

const FILES = 2_000
const SWITCHES = 9

/** A branch on which 2,000 files differ, there and back: once with time to look after each switch, once without. */
export const measureSwitch: Measure = async effort => {
  const repo = await createBenchRepo(generatedTexts('main'), effort)
  await createBranch(repo, 'other', [generatedTexts('other')])
  await repo.git('switch', '--quiet', 'main')
  await using daemon = await startWatchedRepo(repo)
  for (let n = 0; n < SWITCHES * 2; n++) {
    progress(`switch ${n + 1} of ${SWITCHES * 2}`)
    await repo.git('switch', '--quiet', n % 2 === 0 ? 'other' : 'main')
    if (n < SWITCHES) await daemon.flush()
  }
  await daemon.flush()
  const ghosts = ledgerWrites(ledgerText(repo)).length
  const measure = `switch of ${FILES} files, ${SWITCHES} times with a flush and ${SWITCHES} times without`
  return [{ measure, result: `${ghosts} write records`, goal: '0 write records', met: ghosts === 0 }]
}

const COMMITS = 30

/** A rebase under a daemon, and the same beside it in a repository that nobody watches. */
export const measureRebase: Measure = async effort => {
  const repo = await createBenchRepo(generatedTexts('main', 100), effort)
  const steps = Array.from({ length: COMMITS }, (_, n) => generatedTexts(`topic ${n}`, 5, n))
  await createBranch(repo, 'topic', steps)
  await repo.git('switch', '--quiet', 'main')
  await createBranch(repo, 'main', [{ 'bench/on-main.ts': 'main\n' }])
  await repo.git('branch', 'start', 'topic')
  const [bare, daemon] = [await copyWithFreshIndex(repo), await startWatchedRepo(repo)]
  await using _both = { [Symbol.asyncDispose]: async () => void (await Promise.all([bare, daemon].map(dispose))) }
  const times = await rebaseTimes({ watched: repo, bare }, effort.isQuick ? 5 : 15)
  await daemon.flush()
  const { ratio } = costOf(times.watched, times.bare)
  const ghosts = ledgerWrites(ledgerText(repo)).length
  const [on, off] = [times.watched, times.bare].map(it => quantile(it, 0.5).toFixed(0))
  const measure = `rebase of ${COMMITS} commits`
  const time = `${ratio.toFixed(2)}x (${on} ms, ${off} ms without)`
  return [
    { measure, result: `${ghosts} write records`, goal: '0 write records', met: ghosts === 0 },
    { measure: `${measure}: time`, result: time, goal: 'at most 1.1x of without', met: ratio <= 1.1 },
  ]
}

function dispose(it: AsyncDisposable): PromiseLike<void> {
  return it[Symbol.asyncDispose]()
}

type WatchedAndBare = { readonly watched: Repo; readonly bare: Repo }

async function rebaseTimes(repos: WatchedAndBare, rounds: number): Promise<Record<keyof WatchedAndBare, number[]>> {
  const times = { watched: [] as number[], bare: [] as number[] }
  for (let round = -1; round < rounds; round++) {
    progress(`rebase ${round + 1} of ${rounds}`)
    for (const name of shuffle(['watched', 'bare'] as const)) {
      const repo = repos[name]
      await repo.git('switch', '--quiet', '--force-create', 'work', 'start')
      if (name === 'watched') await repo.kotef('flush')
      const from = performance.now()
      const { status, stderr } = spawnSync('git', ['rebase', '--quiet', 'main'], { cwd: repo.root, env: repo.env() })
      if (status !== 0) throw new Error(`git rebase ended with ${status}: ${String(stderr)}`)
      if (round >= 0) times[name].push(performance.now() - from)
    }
  }
  return times
}

function generatedTexts(word: string, files = FILES, first = 0): Record<string, string> {
  const entry = (n: number) => [`bench/d${n % 50}/f${n}.ts`, `${word} ${n}\n`.repeat(10)] as const
  return Object.fromEntries(Array.from({ length: files }, (_, n) => entry(first + n)))
}

async function createBranch(repo: Repo, branch: string, steps: readonly Record<string, string>[]): Promise<void> {
  if (branch !== 'main') await repo.git('switch', '--quiet', '--create', branch)
  for (const [n, texts] of steps.entries()) {
    for (const [path, text] of Object.entries(texts)) await repo.write(path, text)
    await repo.git('add', '--all')
    await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message', `chore: ${branch} ${n}`)
  }
}
