import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { updateCatalogue } from '../../src/world/ledger/query-ledger.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { startBrowser } from '../rig/browser.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import type { Repo } from '../rig/repo.ts'
import { lengthenLedger } from './long-ledger.ts'
import { progress, type Row, rowTable } from './row.ts'
import { measureSlowPages, memoryRow } from './slow-pages.ts'
import { quantile } from './statistics.ts'
import { createBenchRepo, startBenchDaemon } from './watched-repo.ts'

const LINES = 1_000_000
const PAGE_MS_MAX = 300
const CLIENT_KIB_MAX = 60
const PIXEL_MS_MAX = 150

type Effort = { readonly isQuick: boolean; readonly isJson: boolean }

/** What `kotef ui` costs: pages of a long ledger, its client, its memory, and how late an event is on the screen. */
export async function benchUi(print: (text: string) => void, { isQuick, isJson }: Effort): Promise<void> {
  await using repo = await createBenchRepo({ 'bench/file.txt': 'a\n' }, { isQuick, backend: null })
  const lines = isQuick ? LINES / 10 : LINES
  progress(`a ledger of ${lines} records`)
  await lengthenLedger(repo, lines)
  await updateCatalogue(await openWorkspace(repo.root))
  const { url, pid } = JSON.parse((await repo.kotef('ui', '--json')).stdout) as { url: string; pid: number }
  const rows = [
    ...(await measurePages(url, { lines, rounds: isQuick ? 5 : 15 })),
    clientRow(),
    await measurePixels(repo, url, isQuick ? 10 : 40),
    memoryRow(pid, "the server's memory, at its peak"),
  ]
  await repo.kotef('ui', '--kill')
  rows.push(...(await measureSlowPages(isQuick)))
  print(isJson ? JSON.stringify({ quick: isQuick, rows }, null, 2) : rowTable(rows))
}

const PAGES: Readonly<Record<string, string>> = {
  Now: '',
  Records: 'records',
  'Records of an author': 'records?author=ai',
}

async function measurePages(url: string, { lines, rounds }: { lines: number; rounds: number }): Promise<Row[]> {
  const cookie = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
  const rows: Row[] = []
  for (const [name, address] of Object.entries(PAGES)) {
    progress(name)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const from = performance.now()
      await (await fetch(new URL(address, url.replace(/\?.*/, '')), { headers: { cookie } })).text()
      times.push(performance.now() - from)
    }
    // The first page of a server that has just started is among them.
    const [first = 0] = times
    const result = `first ${first.toFixed(0)} ms, p50 ${quantile(times, 0.5).toFixed(0)} ms`
    const goal = `at most ${PAGE_MS_MAX} ms`
    rows.push({ measure: `${name}, ${lines} records`, result, goal, met: first <= PAGE_MS_MAX })
  }
  return rows
}

function clientRow(): Row {
  const bytes = gzipSync(readFileSync(join(packedKotef().root, 'dist/ui/client.js'))).length
  const result = `${(bytes / 1024).toFixed(1)} KiB`
  return {
    measure: 'the client, gzip',
    result,
    goal: `at most ${CLIENT_KIB_MAX} KiB`,
    met: bytes <= CLIENT_KIB_MAX * 1024,
  }
}

// The moment of a paint, as the browser says it.
const PAINTED = `new Promise(resolve => {
  new MutationObserver((_, observer) => {
    const found = document.querySelector('#live .record')?.textContent.includes(NAME)
    if (!found) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
  }).observe(document.getElementById('live'), { childList: true })
})`

async function measurePixels(repo: Repo, url: string, rounds: number): Promise<Row> {
  progress('from a record to the screen')
  await using daemon = await startBenchDaemon(repo)
  await using browser = await startBrowser()
  await using window = await browser.open({})
  await window.page.goto(url)
  await window.page.waitForSelector('#connection.is-connected')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const name = `bench/pixel-${round}.txt`
    const painted = window.page.evaluate(PAINTED.replace('NAME', JSON.stringify(name))) as Promise<number>
    // The observer is there when the page has answered.
    await window.page.evaluate('0')
    const recorded = daemon.line(new RegExp(name)).then(() => Date.now())
    await repo.write(name, 'x\n')
    times.push(Math.max(0, (await painted) - (await recorded)))
  }
  const result = `p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`
  const met = quantile(times, 0.5) <= PIXEL_MS_MAX
  return { measure: 'from a record to the screen', result, goal: `p50 at most ${PIXEL_MS_MAX} ms`, met }
}
