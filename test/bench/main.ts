import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packKotef } from '../rig/packed.ts'
import { cloneOfThis, type CommitCost, DIRECT, EMPTY_NODE, generated, measureCommits } from './hooks.ts'
import { type Latency, measureLatency } from './watch-latency.ts'

const ROUNDS = 21
const run = mkdtempSync(join(realpathSync(tmpdir()), 'kb-'))
process.env['KOTEF_TEST_RUN'] = run
process.env['TMPDIR'] = run

try {
  packKotef(run)
  print(`A commit, ${ROUNDS} interleaved runs, medians\n`)
  print(tableOf('this repository', await measureCommits(cloneOfThis, ROUNDS)))
  print(tableOf('2,000 files', await measureCommits(repo => generated(repo, 2000), ROUNDS)))
  print(linesOf(await measureLatency(100)))
} finally {
  rmSync(run, { recursive: true, force: true })
}

function tableOf(title: string, costs: readonly CommitCost[]): string {
  const rows = costs.map(({ setUp, ms, ratio, addedMs }) =>
    [`  ${setUp.padEnd(22)}`, cell(ms, 'ms'), cell(ratio, 'x'), cell(addedMs, 'ms more')].join(''),
  )
  return [title, ...rows, ...goalsOf(costs), ''].join('\n')
}

function goalsOf(costs: readonly CommitCost[]): string[] {
  const added = (setUp: string) => costs.find(it => it.setUp === setUp)?.addedMs ?? Number.NaN
  const share = added(DIRECT) / added(EMPTY_NODE)
  return [
    goal(`${DIRECT} adds at most 12 ms`, `${added(DIRECT).toFixed(1)} ms`, added(DIRECT) <= 12),
    goal(`${DIRECT} adds at most 0.5 of what ${EMPTY_NODE} adds`, share.toFixed(2), share <= 0.5),
  ]
}

function goal(wish: string, found: string, met: boolean): string {
  return `  goal: ${wish}: ${found}, ${met ? 'met' : 'not met'}`
}

function linesOf({ writes, p50Ms, p99Ms }: Latency): string {
  const found = `  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  return `From a write to its line in the ledger, ${writes} writes\n${found}`
}

function cell(value: number, unit: string): string {
  return `${value.toFixed(unit === 'x' ? 2 : 1).padStart(8)} ${unit}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
