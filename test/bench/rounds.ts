import { spawnSync } from 'node:child_process'
import type { Repo } from '../rig/repo.ts'
import { shuffle } from './statistics.ts'

/** What is measured in one repository: what comes before, untimed, and the commit, with the exit code it ends with. */
export type BenchStage = {
  readonly name: string
  readonly repo: Repo
  readonly exit: 0 | 1
  prepare(round: number): Promise<void>
}

/** Commits in turn, in an order that changes with each round, so that what else the machine does hits all alike. */
export async function commitTimes(stages: readonly BenchStage[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map(stages.map(it => [it.name, [] as number[]]))
  // The round before the first warms the caches.
  for (let round = -1; round < rounds; round++) {
    process.stderr.write(`\r  round ${round + 1} of ${rounds}`)
    for (const stage of shuffle(stages)) {
      await stage.prepare(round)
      const ms = timedCommit(stage, round)
      if (round >= 0) times.get(stage.name)?.push(ms)
    }
  }
  process.stderr.write('\n')
  return times
}

function timedCommit({ name, repo, exit }: BenchStage, round: number): number {
  const options = { cwd: repo.root, env: repo.env(), encoding: 'utf8' } as const
  const from = performance.now()
  const { status, stderr } = spawnSync('git', ['commit', '--quiet', '--message', `chore: round ${round + 1}`], options)
  const ms = performance.now() - from
  if (status !== exit) throw new Error(`${name}: git commit ended with ${status}:\n${stderr}`)
  return ms
}
