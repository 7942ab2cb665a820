import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { whereIs } from '../../src/world/code/code-map/find-places.ts'
import { livePlaces, mayOthersHaveWritten } from '../../src/world/code/conflicts/live-places.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import type { Repo } from '../rig/repo.ts'
import { measureClasses } from './classes.ts'
import { measureParserTrouble } from './parser-trouble.ts'
import { progress, type Row, rowTable } from './row.ts'
import { quantile } from './statistics.ts'
import { timedStart } from './timed-start.ts'
import { createBenchRepo } from './watched-repo.ts'

const WHERE_MS_MAX = 100
const HOOK_MS_MAX = 5
const FUNCTIONS_IN_FILE = 100

/** What a map and a question by words cost, on a tree of 50,000 declarations; and the class of a change. */
export async function benchMeaning(print: (text: string) => void, wish: { isQuick: boolean; isJson: boolean }) {
  const { isQuick } = wish
  const count = isQuick ? 50 : 500
  await using repo = await createBenchRepo(sources(count), { isQuick, backend: null })
  await commitWork(repo, 0)
  const declarations = (count * FUNCTIONS_IN_FILE).toLocaleString('en')
  const rows = [
    ...(await mapRows(repo, declarations)),
    ...(await whereRows(repo, isQuick ? 5 : 31)),
    await hookRow(repo, isQuick ? 5 : 31),
    ...(await measureParserTrouble(isQuick)),
    ...(await measureClasses(isQuick)),
  ]
  print(wish.isJson ? JSON.stringify({ quick: isQuick, rows }, null, 2) : rowTable(rows))
}

const VERBS = ['charge', 'refund', 'open', 'close', 'find', 'store', 'render', 'parse', 'merge', 'send']
const NOUNS = ['Card', 'Account', 'Invoice', 'User', 'Page', 'Ledger', 'Policy', 'Ticket', 'Message', 'Report']

function sources(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`bench/part${n % 20}/file${n}.ts`, sourceOf(n, '')]),
  )
}

function sourceOf(file: number, text: string): string {
  const functions = Array.from({ length: FUNCTIONS_IN_FILE }, (_, n) => {
    const name = `${VERBS[n % 10]}${NOUNS[Math.floor(n / 10)]}${file}`
    return `export function ${name}(value: number) {\n  return value + ${n} // ${text}\n}\n`
  })
  return functions.join('\n')
}

async function commitWork(repo: Repo, round: number): Promise<void> {
  await repo.write('bench/part0/file0.ts', sourceOf(0, `round ${round}`))
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'work', '-m', 'Intent-ID: BENCH-1')
}

async function mapRows(repo: Repo, declarations: string): Promise<Row[]> {
  progress(`the map of ${declarations} declarations`)
  const firstMs = timedKotef(repo, 'map')
  await commitWork(repo, 1)
  const nextMs = timedKotef(repo, 'map')
  await rm(join(repo.root, '.git/kotef/map'), { recursive: true })
  const againMs = timedKotef(repo, 'map')
  const row = (measure: string, ms: number): Row => ({ measure, result: `${ms.toFixed(0)} ms`, goal: '', met: null })
  return [
    row(`the first map, ${declarations} declarations`, firstMs),
    row('the next one, after a commit of one file', nextMs),
    row('one without the last one, each blob parsed before', againMs),
  ]
}

function timedKotef(repo: Repo, ...asked: readonly string[]): number {
  const words = ['node', join(packedKotef().root, 'dist/main.cjs'), ...asked]
  return timedStart(repo, { name: asked.join(' '), words, input: '', says: /bench/ })
}

async function whereRows(repo: Repo, rounds: number): Promise<Row[]> {
  const workspace = await openWorkspace(repo.root)
  const questions = ['charge card', 'where is the invoice rendering?', 'ledger', 'file17', 'hargeCar']
  const times = { here: [] as number[], program: [] as number[] }
  for (let round = -2; round < rounds; round++) {
    const question = questions[(round + 2) % questions.length]!
    const here = await timed(() => whereIs(workspace, { question, limit: 20 }))
    const ms = timedKotef(repo, 'where', question)
    if (round < 0) continue
    times.here.push(here)
    times.program.push(ms)
  }
  const median = quantile(times.here, 0.5)
  return [
    {
      measure: 'a question, nothing committed since the last one',
      result: `${median.toFixed(0)} ms, 95 % ${quantile(times.here, 0.95).toFixed(0)} ms`,
      goal: `at most ${WHERE_MS_MAX} ms`,
      met: median <= WHERE_MS_MAX,
    },
    {
      measure: 'kotef where, as a program',
      result: `${quantile(times.program, 0.5).toFixed(0)} ms`,
      goal: '',
      met: null,
    },
  ]
}

// The ledger of the other worktree is longer than what the hook reads of it.
async function hookRow(repo: Repo, rounds: number): Promise<Row> {
  const other = join(repo.base, 'other')
  await repo.git('worktree', 'add', '-q', '-b', 'other', other)
  const line = `${JSON.stringify({ path: 'src/other.ts', url: 'kotef:session/other', text: 'x'.repeat(900) })}\n`
  await appendFile(join(repo.root, '.orchestration/agent_trace.jsonl'), line.repeat(3_000))
  const there = await openWorkspace(other)
  const times: number[] = []
  for (let round = -2; round < rounds; round++) {
    const ms = await timed(async () => {
      const places = await livePlaces(there)
      if (await mayOthersHaveWritten(places, 'BENCH-2', ['bench/part0/file0.ts'])) throw new Error('A path was found.')
    })
    if (round >= 0) times.push(ms)
  }
  const median = quantile(times, 0.5)
  return {
    measure: 'an agent’s hook after a write, nothing in conflict',
    result: `${median.toFixed(1)} ms more`,
    goal: `at most ${HOOK_MS_MAX} ms`,
    met: median <= HOOK_MS_MAX,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
