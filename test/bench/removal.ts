import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { removeAll } from '../rig/remove-all.ts'
import { startTimedDaemon } from './growth.ts'
import { type Measure, progress } from './row.ts'
import { createBenchRepo, flushLedger, ledgerText, memoryOf } from './watched-repo.ts'

/** All files are removed, and then the repository: when the daemon is quiet, and when it has ended. */
export const measureRemoval: Measure = async effort => {
  const count = effort.isQuick ? 20_000 : 100_000
  const paths = Array.from({ length: count }, (_, n) => `src/d${Math.floor(n / 50)}/f${n}.ts`)
  await using repo = await createBenchRepo(Object.fromEntries(paths.map(it => [it, `old ${it}\n`])), effort)
  await using daemon = await startTimedDaemon(repo)
  const workspace = await openWorkspace(repo.root)
  progress(`rm -r of ${count} files`)
  daemon.forget()
  const from = performance.now()
  rmSync(join(repo.root, 'src'), { recursive: true })
  const removed = performance.now()
  await flushLedger(workspace)
  const quiet = performance.now()
  const recorded = ledgerText(repo).match(/"op":"delete"/g)?.length ?? 0
  const { mostMb } = memoryOf(daemon.program.pid)
  const turn = daemon.longestTurnMs()
  const beforeAll = performance.now()
  removeAll(repo.root)
  const gone = performance.now()
  await daemon.program.ended
  const ended = performance.now()
  const seconds = (to: number, since: number): string => `${((to - since) / 1000).toFixed(1)} s`
  return [
    {
      measure: `rm -r of ${count} files beside a daemon`,
      result: `rm ${seconds(removed, from)}, then quiet after ${seconds(quiet, removed)}; ${recorded} recorded`,
      goal: 'quiet within 5 s, all recorded',
      met: quiet - removed <= 5_000 && recorded === count,
    },
    {
      measure: 'longest turn of the event loop, memory',
      result: `${turn.toFixed(0)} ms, ${mostMb.toFixed(0)} MB`,
      goal: 'at most 50 ms',
      met: turn <= 50,
    },
    {
      measure: 'the repository is removed',
      result: `rm ${seconds(gone, beforeAll)}, then ended after ${seconds(ended, gone)}`,
      goal: 'within 1 s',
      met: ended - gone <= 1_000,
    },
  ]
}
