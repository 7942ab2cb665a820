import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { updateCatalogue } from '../../src/world/ledger/query-ledger.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from '../rig/repo.ts'
import { startUiServer, type UiServer } from '../rig/ui-server.ts'
import { lengthenLedger } from './long-ledger.ts'
import { progress, type Row } from './row.ts'
import { quantile } from './statistics.ts'
import { createBenchRepo } from './watched-repo.ts'

const FILE_LINES = 200_000
const RECORDS = 200_000
const OTHER_PAGE_MS_MAX = 300
const RANGE_MS_MAX = 2_000
const MEMORY_MB_MAX = 150
const IDLE_PAGES = 50
// Somebody who reads does not ask without a pause: a server that always answers would be measured against itself.
const PAUSE_MS = 50

/** Pages that take long: of a file whose commits have no notes, and of a range beside a long ledger. */
export async function measureSlowPages(isQuick: boolean): Promise<Row[]> {
  const part = isQuick ? 0.1 : 1
  return [...(await measureFile(FILE_LINES * part)), ...(await measureRange(RECORDS * part))]
}

async function measureFile(lines: number): Promise<Row[]> {
  await using repo = await createBenchRepo({ 'bench/long.txt': 'first\n' }, { isQuick: false, backend: null })
  progress(`a file of ${lines} lines, in commits without notes`)
  // A daemon would write the notes.
  await repo.kotef('watch', '--stop')
  const text = (changed: string) =>
    Array.from({ length: lines }, (_, n) => `line ${n} ${n % 10 === 0 ? changed : 'and some more words'}\n`).join('')
  for (const changed of ['one', 'two']) await commitFile(repo, text(changed))
  const server = await startUiServer(repo)
  const idle = await latenciesOfNow(server, times => times.length >= IDLE_PAGES)
  let isMade = false
  const made = madeAfter(server, 'files/bench/long.txt').finally(() => (isMade = true))
  const times = await latenciesOfNow(server, () => isMade)
  const memory = memoryRow(server.pid, `the server's memory, a file of ${lines} lines without notes`)
  const maker = peakMb(server.makerPid() ?? 0)
  await repo.kotef('ui', '--kill')
  const [p50, p95, before] = [quantile(times, 0.5), quantile(times, 0.95), quantile(idle, 0.5)]
  return [
    {
      measure: `Now, while a file of ${lines} lines without notes is read`,
      result: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (before ${before.toFixed(0)} ms)`,
      goal: `p50 at most ${OTHER_PAGE_MS_MAX} ms`,
      met: p50 <= OTHER_PAGE_MS_MAX,
    },
    {
      measure: 'that file: its page, and the memory of the process that makes it',
      result: `${((await made) / 1000).toFixed(1)} s, ${maker.toFixed(0)} MB`,
      ...{ goal: '', met: null },
    },
    memory,
  ]
}

async function commitFile(repo: Repo, text: string): Promise<void> {
  await repo.write('bench/long.txt', text)
  const message = ['--message', 'the file', '--message', 'Intent-ID: BENCH-1']
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--all', ...message)
}

async function measureRange(records: number): Promise<Row[]> {
  await using repo = await createBenchRepo({ 'bench/long.txt': 'first\n' }, { isQuick: false, backend: null })
  progress(`a range beside a ledger of ${records} records`)
  await repo.kotef('watch', '--stop')
  for (const text of ['one\n', 'two\n']) await commitFile(repo, text)
  await lengthenLedger(repo, records)
  await updateCatalogue(await openWorkspace(repo.root))
  const server = await startUiServer(repo)
  const judged = await madeAfter(server, 'ranges/HEAD~1..HEAD', it => it.includes('Judged commits'))
  const checked = judged + (await madeAfter(server, 'ranges/HEAD~1..HEAD'))
  const next = await madeAfter(server, 'ranges/HEAD~2..HEAD')
  const memory = memoryRow(server.pid, `the server's memory, a range beside ${records} records`)
  await repo.kotef('ui', '--kill')
  const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return [
    {
      measure: `the page of a range beside ${records} records`,
      result: `judged ${inSeconds(judged)}, ledger checked ${inSeconds(checked)}; another range ${inSeconds(next)}`,
      goal: `judged within ${inSeconds(RANGE_MS_MAX)}`,
      met: judged <= RANGE_MS_MAX,
    },
    memory,
  ]
}

/** The time until a page is what is waited for; by default, until it has all its facts. */
async function madeAfter(
  server: UiServer,
  address: string,
  isMade: (text: string) => boolean = it => !it.includes('data-pending'),
): Promise<number> {
  const from = performance.now()
  for (;;) {
    const { status, text } = await server.page(address)
    if (status === 200 && isMade(text)) return performance.now() - from
    if (status !== 200 && status !== 202) throw new Error(`${address} is answered with ${status}:\n${text}`)
    await delay(PAUSE_MS)
  }
}

/** How long the first page takes, asked again and again until that is enough. */
async function latenciesOfNow(server: UiServer, isEnough: (times: readonly number[]) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isEnough(times)) {
    const from = performance.now()
    await server.page('')
    times.push(performance.now() - from)
    await delay(PAUSE_MS)
  }
  return times
}

/** The row of a server's memory. */
export function memoryRow(pid: number, measure: string): Row {
  const mb = peakMb(pid)
  return {
    ...{ measure, result: `${mb.toFixed(0)} MB` },
    ...{ goal: `at most ${MEMORY_MB_MAX} MB`, met: mb <= MEMORY_MB_MAX },
  }
}

function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'NaN') / 1024
}
