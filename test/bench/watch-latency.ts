import { watch } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { govern } from './repositories.ts'
import { quantile } from './statistics.ts'

const WRITES = 100

/** How long it takes until the ledger tells of a write. */
export async function benchWatch(print: (text: string) => void): Promise<void> {
  const { p50Ms, p99Ms } = await measureLatency(WRITES)
  print(`From a write to its line in the ledger, ${WRITES} writes`)
  print(`  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`)
}

type Latency = { readonly p50Ms: number; readonly p99Ms: number }

/** From the write of a file to its line in the ledger, one write after the other, under a running daemon. */
async function measureLatency(writes: number): Promise<Latency> {
  await using repo = await temporaryRepo({ 'a.txt': 'a\n' })
  await govern(repo)
  const { code, stderr } = await repo.kotef('watch', '--detach')
  if (code !== 0) throw new Error(`kotef watch --detach ended with ${code}:\n${stderr}`)
  for (let n = 0; n < FILES; n++) await repo.write(pathOf(n), 'as it was\n')
  await repo.kotef('flush')
  const times: number[] = []
  for (let n = 0; n < writes; n++) times.push(await timedWrite(repo, n))
  await repo.kotef('watch', '--stop')
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
}

const FILES = 10

function pathOf(n: number): string {
  return `bench/file-${n % FILES}.txt`
}

async function timedWrite(repo: Repo, n: number): Promise<number> {
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
    const watcher = watch(folder, { signal: AbortSignal.timeout(10_000) }, () => {
      const now = performance.now()
      void tailOf(file, start).then(tail => {
        if (!tail.includes(text)) return
        resolve(now)
        watcher.close()
      }, reject)
    })
    watcher.on('error', () => reject(new Error(`No line with ${text} came within 10 s.`)))
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
