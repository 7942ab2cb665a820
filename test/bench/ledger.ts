import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repo } from '../rig/repo.ts'
import { SAMPLE_QUERY, lengthenLedger } from './long-ledger.ts'
import { copyWithFreshIndex } from './repositories.ts'
import { type Measure, progress, type Row } from './row.ts'
import { commitTimes } from './rounds.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { createBenchRepo, startBenchDaemon } from './watched-repo.ts'
import { timedWrite } from './watch-latency.ts'

const LINES = 1_000_000

type RepoPair = { readonly long: Repo; readonly short: Repo }

/** What a ledger of a million lines costs beside a short one: appending, committing, asking. */
export const measureLedger: Measure = async effort => {
  const lines = effort.isQuick ? LINES / 10 : LINES
  await using short = await createBenchRepo({ 'bench/file.txt': 'a\n' }, effort)
  await using long = await copyWithFreshIndex(short)
  progress(`a ledger of ${lines} lines`)
  await lengthenLedger(long, lines)
  const pair = { long, short }
  const rounds = effort.isQuick ? 5 : 11
  const rows = [
    ...(await measureQueries(pair, rounds)),
    await measureCommits(pair, rounds),
    await measureAppends(pair, rounds * 5),
  ]
  return rows.map(it => ({ ...it, measure: `ledger of ${lines} lines: ${it.measure}` }))
}

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'kotef trace --file': ['trace', '--file', SAMPLE_QUERY.path, '--json'],
  'kotef trace --intent --limit 20': ['trace', '--intent', SAMPLE_QUERY.intent, '--limit', '20'],
  'kotef trace --session --limit 20': ['trace', '--session', SAMPLE_QUERY.session, '--limit', '20', '--json'],
  'kotef trace --limit 10': ['trace', '--limit', '10'],
  'kotef status': ['status'],
  'kotef session': ['session'],
  'kotef blame': ['blame', 'bench/file.txt'],
  'kotef log': ['log'],
}

async function measureQueries({ long, short }: RepoPair, rounds: number): Promise<Row[]> {
  const rows = await measureFirstQuestions(long)
  for (const [measure, words] of Object.entries(QUESTIONS)) {
    progress(measure)
    const times = { long: [] as number[], short: [] as number[], node: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      for (const name of shuffle(['long', 'short', 'node'] as const))
        times[name].push(name === 'node' ? await timedNode(long) : await timedKotef({ long, short }[name], words))
    }
    rows.push(comparisonRow(measure, times, 2))
    const { addedMs } = costOf(times.long, times.node)
    // The others ask git and the policy for most of their time, with a short ledger as well.
    if (words[0] === 'trace') rows.push(limitedRow(`${measure}, beside Node's start`, addedMs, OWN_MS_MAX))
  }
  return rows
}

const OWN_MS_MAX = 100
const FIRST_MS_MAX = 3_000

/** The question that makes the catalogue, the one that extends it, and how large it is. */
async function measureFirstQuestions(long: Repo): Promise<Row[]> {
  const catalogue = join(long.root, '.git/kotef/catalogue')
  await rm(catalogue, { recursive: true, force: true })
  const question = QUESTIONS['kotef trace --file'] ?? []
  const firstMs = await timedKotef(long, question)
  await lengthenLedger(long, LINES_MORE)
  const nextMs = await timedKotef(long, question)
  const sizes = (await readdir(catalogue)).map(async it => (await stat(join(catalogue, it))).size)
  const bytes = (await Promise.all(sizes)).reduce((sum, it) => sum + it, 0)
  return [
    limitedRow('the first question, without a catalogue', firstMs, FIRST_MS_MAX),
    limitedRow(`the first question after ${LINES_MORE} lines more`, nextMs, FIRST_MS_MAX),
    { measure: 'the catalogue', result: `${(bytes / 2 ** 20).toFixed(0)} MB`, goal: '', met: null },
  ]
}

const LINES_MORE = 10_000

function limitedRow(measure: string, ms: number, msMax: number): Row {
  return { measure, result: `${ms.toFixed(0)} ms`, goal: `at most ${msMax} ms`, met: ms <= msMax }
}

async function timedNode(repo: Repo): Promise<number> {
  const from = performance.now()
  await repo.run(process.execPath, ['--eval', '0'])
  return performance.now() - from
}

async function timedKotef(repo: Repo, words: readonly string[]): Promise<number> {
  const from = performance.now()
  const { code, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}`)
  return performance.now() - from
}

async function measureCommits(pair: RepoPair, rounds: number): Promise<Row> {
  const stages = (['long', 'short'] as const).map(name => {
    const repo = pair[name]
    const prepare = async (round: number) => {
      await repo.write('bench/file.txt', `round ${round}\n`)
      await repo.git('add', 'bench/file.txt')
    }
    return { name, repo, exit: 0 as const, prepare }
  })
  const times = await commitTimes(stages, rounds)
  return comparisonRow('a commit', { long: times.get('long') ?? [], short: times.get('short') ?? [] }, 1.1)
}

/** From a write to its line, each daemon in turn. */
async function measureAppends({ long, short }: RepoPair, writes: number): Promise<Row> {
  await using _one = await startBenchDaemon(long)
  await using _other = await startBenchDaemon(short)
  const times = { long: [] as number[], short: [] as number[] }
  progress(`${writes} writes`)
  for (let n = 0; n < writes; n++) {
    for (const name of shuffle(['long', 'short'] as const)) times[name].push(await timedWrite({ long, short }[name], n))
  }
  return comparisonRow('a write to its line', times, 1.1)
}

function comparisonRow(measure: string, times: Record<keyof RepoPair, number[]>, most: number): Row {
  const { ratio } = costOf(times.long, times.short)
  const [long, short] = [times.long, times.short].map(it => quantile(it, 0.5).toFixed(0))
  const goal = `at most ${most}x of a short ledger`
  return { measure, result: `${ratio.toFixed(2)}x (${long} ms, ${short} ms)`, goal, met: ratio <= most }
}
