import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellQuoted } from '../../src/core/base/printable.ts'
import type { Repo } from '../rig/repo.ts'
import { copyWithFreshIndex, adoptForBench, withHooks } from './repositories.ts'
import { type BenchStage, commitTimes } from './rounds.ts'
import { type Cost, costOf } from './statistics.ts'

/** What a refusal costs beside one empty start of Node and the very git calls that the refusal makes. */
export async function measureRefusal(model: Repo, rounds: number): Promise<Cost> {
  await using refusing = await copyWithFreshIndex(model)
  await using bare = await copyWithFreshIndex(model)
  await adoptForBench(refusing)
  for (const repo of [refusing, bare]) await stageOutside(repo)
  const calls = await gitCallsOf(refusing)
  process.stderr.write(`  a refusal makes ${calls.length} git calls\n`)
  await bare.write('.git/empty.cjs', '')
  const lines = [
    ...calls.map(it => `git ${it.map(shellQuoted).join(' ')} >/dev/null 2>&1`),
    'node .git/empty.cjs',
    'exit 1',
  ]
  await withHooks(bare, { 'pre-commit': `#!/bin/sh\n${lines.join('\n')}\n` })
  const stages: BenchStage[] = [
    { name: 'refusal', repo: refusing, exit: 1, prepare: async () => {} },
    { name: 'bare', repo: bare, exit: 1, prepare: async () => {} },
  ]
  const times = await commitTimes(stages, rounds)
  return costOf(times.get('refusal') ?? [], times.get('bare') ?? [])
}

async function stageOutside(repo: Repo): Promise<void> {
  await repo.write('part-0/file-0.ts', 'changed\n')
  await repo.git('add', 'part-0/file-0.ts')
}

// Git tells of each git that runs; the first one is the commit itself.
async function gitCallsOf(repo: Repo): Promise<string[][]> {
  const trace = join(repo.base, 'trace')
  // The first refusal after a change of the policy also compiles it.
  await repo.run('git', ['commit', '--quiet', '--message', 'w'])
  await repo.run('git', ['commit', '--quiet', '--message', 'w'], { env: { GIT_TRACE2_EVENT: trace } })
  const events = (await readFile(trace, 'utf8')).split('\n').filter(Boolean)
  const starts = events.map(it => JSON.parse(it) as { event: string; argv?: string[] })
  return starts.flatMap(it => (it.event === 'start' && it.argv ? [it.argv.slice(1)] : [])).slice(1)
}
