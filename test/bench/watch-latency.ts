import { watch } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repo } from '../rig/repo.ts'
import { type Measure, progress } from './row.ts'
import { quantile } from './statistics.ts'
import { createBenchRepo, startWatchedRepo } from './watched-repo.ts'

// What config says when nobody says anything.
const SETTLE_MS = 20

/** From the write of a file to its line in the ledger, one write after the other, beyond the settle time. */
export const measureLatency: Measure = async effort => {
  const writes = effort.isQuick ? 100 : 400
  progress(`${writes} writes, one after the other`)
  const times = await latencies(writes, await createBenchRepo({ 'a.txt': 'a\n' }, effort))
  const row = (name: string, share: number, most: number) => {
    const ms = quantile(times, share) - SETTLE_MS
    const result = `settle + ${ms.toFixed(1)} ms`
    return { measure: `write to ledger line, ${name}`, result, goal: `at most settle + ${most} ms`, met: ms <= most }
  }
  return [row('p50', 0.5, 10), row('p99', 0.99, 40)]
}

/** How long each of so many writes takes in a repository, which is gone afterwards. */
async function latencies(writes: number, repo: Repo): Promise<number[]> {
  await using daemon = await startWatchedRepo(repo)
  for (let n = 0; n < FILES; n++) await repo.write(pathOf(n), 'as it was\n')
  await daemon.flush()
  const times: number[] = []
  for (let n = 0; n < writes; n++) times.push(await timedWrite(repo, n))
  return times
}

const FILES = 10

function pathOf(n: number): string {
  return `bench/file-${n % FILES}.txt`
}

/** From a write to its line in the ledger, under a running daemon. */
export async function timedWrite(repo: Repo, n: number): Promise<number> {
  const path = pathOf(n)
  const arrived = lineIn(join(repo.root, '.orchestration'), 'agent_trace.jsonl', `"path":"${path}"`)
  await arrived.watching
  const from = performance.now()
  await repo.write(path, `write ${n}\n`)
  return (await arrived.at) - from
}

// fs.watch tells of each append, so the time is that of the line and not of a poll.
function lineIn(folder: string, name: string, text: string) {
  const file = open(join(folder, name))
  const start = file.then(async it => (await it.stat()).size)
  const at = new Promise<number>((resolve, reject) => {
    // The file and not its folder: the daemon may append to it by its other name, of which the folder is told nothing.
    const watcher = watch(join(folder, name), { signal: AbortSignal.timeout(10_000) }, () => {
      const now = performance.now()
      void tailOf(file, start).then(tail => {
        if (!tail.includes(text)) return
        resolve(now)
        watcher.close()
      }, reject)
    })
    watcher.on('close', () => reject(new Error(`No line with ${text} came within 10 s.`)))
  })
  return { watching: start, at: at.finally(async () => (await file).close()) }
}

async function tailOf(file: ReturnType<typeof open>, start: Promise<number>): Promise<string> {
  const handle = await file
  const from = await start
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
  return buffer.toString('utf8')
}
