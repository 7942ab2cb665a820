import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { progress, type Row } from './row.ts'
import { quantile } from './statistics.ts'
import { timedWrite } from './watch-latency.ts'
import { createBenchRepo, memoryOf, startWatchedRepo, type WatchedRepo } from './watched-repo.ts'

// As much more as the p50 of runs of one program differs by on a busy machine.
const MORE_MS_MAX = 10
const MORE_MB_MAX = 20

/** What the daemon's writes and memory have of a child that parses texts without an end. */
export async function measureParserTrouble(isQuick: boolean): Promise<Row[]> {
  progress('writes while the daemon’s child parses texts that stop it')
  const writes = isQuick ? 40 : 200
  await using watched = await startWatchedRepo(await createBenchRepo(endlessTexts(), { isQuick, backend: null }))
  const before = await latencyOf(watched, writes)
  for (const [path, text] of Object.entries(endlessTexts())) await watched.repo.write(path, `${text} `)
  await watched.flush()
  while (!isChildAtWork(watched.daemon.pid)) await delay(50)
  const during = await latencyOf(watched, writes)
  const isStillAtWork = isChildAtWork(watched.daemon.pid)
  const [moreMs, moreMb] = [during.ms - before.ms, during.mb - before.mb]
  const result = `${moreMs.toFixed(1)} ms and ${moreMb.toFixed(0)} MB more${isStillAtWork ? '' : ' (it ended before)'}`
  const goal = `at most ${MORE_MS_MAX} ms, ${MORE_MB_MAX} MB`
  return [
    {
      measure: 'write to line while a parser hangs',
      result,
      goal,
      met: moreMs <= MORE_MS_MAX && moreMb <= MORE_MB_MAX,
    },
  ]
}

// Each takes the parser longer than it may: it is killed, and another one started for the next.
function endlessTexts(): Record<string, string> {
  const names = Array.from({ length: 12 }, (_, n) => `bench/endless${n}.py`)
  return Object.fromEntries(names.map(it => [it, '('.repeat(400_000)]))
}

async function latencyOf({ repo, daemon, flush }: WatchedRepo, writes: number) {
  const times: number[] = []
  for (let n = 0; n < 10; n++) await repo.write(`bench/file-${n}.txt`, 'as it was\n')
  await flush()
  for (let n = 0; n < writes; n++) times.push(await timedWrite(repo, n))
  return { ms: quantile(times, 0.5), mb: memoryOf(daemon.pid).nowMb }
}

function isChildAtWork(daemon: number): boolean {
  return readdirSync('/proc').some(it => /^\d+$/.test(it) && isClassifierOf(daemon, it))
}

function isClassifierOf(daemon: number, process: string): boolean {
  try {
    const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${process}/stat`, 'utf8'))?.[1])
    return parent === daemon && readFileSync(`/proc/${process}/cmdline`, 'utf8').includes('--working')
  } catch {
    return false
  }
}
