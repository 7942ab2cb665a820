import { type Measure, progress } from './row.ts'
import { quantile } from './statistics.ts'
import { putFile } from './random-operations.ts'
import { createBenchRepo, memoryOf, startWatchedRepo } from './watched-repo.ts'

const WRITES = 200_000
const AT_ONCE = 250
const FILES = 1_000

/** A day's work in a row: writes, with a commit now and then; how much memory it takes in the end. */
export const measureDay: Measure = async effort => {
  const writes = effort.isQuick ? WRITES / 10 : WRITES
  const files = Array.from({ length: FILES }, (_, n) => [pathOf(n), `old ${n}\n`])
  await using daemon = await startWatchedRepo(await createBenchRepo(Object.fromEntries(files), effort))
  const memory: number[] = []
  for (let n = 0; n < writes; n++) {
    putFile(daemon.repo.root, pathOf(n), `write ${n}\n`.repeat(10 + (n % 40)))
    if ((n + 1) % AT_ONCE > 0) continue
    await daemon.flush()
    memory.push(memoryOf(daemon.daemon.pid).nowMb)
    if ((n + 1) % (AT_ONCE * 20) > 0) continue
    progress(`${n + 1} of ${writes} writes, ${memory.at(-1)?.toFixed(0)} MB`)
    await daemon.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--all', '--message', 'chore: so far')
  }
  const tenth = Math.ceil(memory.length / 10)
  const [warm, end] = [memory.slice(tenth, 2 * tenth), memory.slice(-tenth)].map(it => quantile(it, 0.5))
  const growth = ((end ?? Number.NaN) / (warm ?? Number.NaN) - 1) * 100
  const row = {
    measure: `24 h of work, ${writes} writes${effort.isQuick ? ` of ${WRITES}` : ''}`,
    result: `RSS ${warm?.toFixed(0)} MB after a tenth, ${end?.toFixed(0)} MB at the end (${growth.toFixed(0)} %)`,
    goal: 'flat within 10 %',
    met: growth <= 10,
  }
  return [row]
}

function pathOf(n: number): string {
  return `bench/d${n % 25}/f${n % FILES}.ts`
}
