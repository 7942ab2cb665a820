import { join } from 'node:path'
import { selectIntent } from '../../src/world/lifecycle/select-intent.ts'
import type { RunEvent } from '../../src/core/runs/event.ts'
import { startedRun } from '../../src/core/runs/run-state.ts'
import { treeId } from '../../src/world/io/worktree/tree-id.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import type { Repo } from '../rig/repo.ts'
import { generateRepo } from './repositories.ts'
import { progress, type Row, rowTable } from './row.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { timedStart } from './timed-start.ts'
import { createBenchRepo, startWatchedRepo } from './watched-repo.ts'
import { foldRun, runTerms } from '../rig/safe-events.ts'

const ADDED_MS_MAX = 3
const FOLD_MS_MAX = 50
const EVENTS = 10_000

/** What a run costs: in an agent's hook after a call, to fold its events, and to name the tree of a check. */
export async function benchRuns(print: (text: string) => void, wish: { isQuick: boolean; isJson: boolean }) {
  const { isQuick } = wish
  const rows = [...(await measureEvents(isQuick)), foldRow(isQuick), ...(await measureTreeIds(isQuick))]
  print(wish.isJson ? JSON.stringify({ quick: isQuick, rows }, null, 2) : rowTable(rows))
}

type Use = { readonly name: string; readonly of: (round: number) => object }

const USES: readonly Use[] = [
  { name: 'a read', of: n => ({ tool_name: 'Read', tool_input: { file_path: `bench/${n % 50}.ts` } }) },
  { name: 'a reading command', of: n => ({ tool_name: 'Bash', tool_input: { command: `git log -${n}` } }) },
  { name: 'any command', of: n => ({ tool_name: 'Bash', tool_input: { command: `npm run part-${n}` } }) },
]
const COUNTED: Use = {
  name: 'a call that is repeated',
  of: () => ({ tool_name: 'Bash', tool_input: { command: 'ls' } }),
}

// Two sessions of one worktree, of which one has a run: the rest of the hook is the same.
async function measureEvents(isQuick: boolean): Promise<Row[]> {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`bench/${n}.ts`, `${n}\n`]))
  await using repo = await createBenchRepo(files, { isQuick, backend: null })
  await using _watched = await startWatchedRepo(repo)
  await select(repo, { session: 'bare', config: 'version: 1\nclaims: allow\nruns: { profile: off }\n' })
  await select(repo, { session: 'run', config: 'version: 1\nclaims: allow\n' })
  const rows = USES.map(it => eventRow(repo, it, isQuick ? 5 : 31))
  return [...rows, { ...eventRow(repo, COUNTED, isQuick ? 5 : 31), goal: '', met: null }]
}

async function select(repo: Repo, { session, config }: { session: string; config: string }): Promise<void> {
  await repo.write('.orchestration/config.yaml', config)
  await selectIntent(await openWorkspace(repo.root), { session, agent: 'bench', model: null, intent: 'BENCH-1' })
}

function eventRow(repo: Repo, { name, of }: Use, rounds: number): Row {
  progress(`an event of ${name}`)
  const times = { bare: [] as number[], run: [] as number[] }
  for (let round = -2; round < rounds; round++) {
    for (const session of shuffle(['bare', 'run'] as const)) {
      const ms = timedHook(repo, { session_id: session, ...of(round + 3) })
      if (round >= 0) times[session].push(ms)
    }
  }
  const { addedMs, ms } = costOf(times.run, times.bare)
  const result = `${addedMs.toFixed(1)} ms more than without a run (${ms.toFixed(0)} ms)`
  return { measure: `after ${name}`, result, goal: `at most ${ADDED_MS_MAX} ms`, met: addedMs <= ADDED_MS_MAX }
}

function timedHook(repo: Repo, more: object): number {
  const payload = { cwd: repo.root, hook_event_name: 'PostToolUse', tool_use_id: 't', tool_response: { stdout: 'x' } }
  const words = ['node', join(packedKotef().root, 'dist/main.cjs'), 'agent-hook', 'claude']
  return timedStart(repo, { name: 'a hook', words, input: JSON.stringify({ ...payload, ...more }), says: /^$|kotef/ })
}

function foldRow(isQuick: boolean): Row {
  const events = Array.from({ length: EVENTS }, (_, n) => eventNumber(n))
  const times = Array.from({ length: isQuick ? 3 : 15 }, () => {
    const from = performance.now()
    foldRun(startedRun(runTerms(['npm test'])), events)
    return performance.now() - from
  })
  const ms = quantile(times, 0.5)
  const result = `${ms.toFixed(0)} ms`
  return { measure: `fold of ${EVENTS} events`, result, goal: `at most ${FOLD_MS_MAX} ms`, met: ms <= FOLD_MS_MAX }
}

// Reads, edits, commands and checks of which one in five fails, and steps; 800 characters of output each.
function eventNumber(n: number): RunEvent {
  const tree = `tree-${Math.floor(n / 7)}`
  const output = `error at line ${n % 100} after ${n} ms\n`.repeat(20)
  const isRed = n % 5 === 0
  const check = { id: 'npm test', command: 'npm test', output, tree } as const
  const kinds: readonly RunEvent[] = [
    { kind: 'tool', tool: 'Read', args: { path: `src/${n % 200}.ts` }, result: output, isPoll: true, tree },
    { kind: 'tool', tool: 'Grep', args: { pattern: `name${n % 90}` }, result: output, isPoll: true, tree },
    { kind: 'edit', path: `src/${n % 200}.ts`, before: `${n - 7}`, after: `${n}` },
    {
      kind: 'tool',
      tool: 'Bash',
      args: { command: `npm run part-${n % 9}` },
      result: output,
      exit: Number(isRed),
      tree,
    },
    { kind: 'tool', tool: 'Bash', args: { command: 'git status' }, result: output, isPoll: true, tree },
    { kind: 'check', ...check, result: isRed ? 'failed' : 'passed' },
    { kind: 'step', from: 'planner', to: 'coder', reason: 'go on' },
  ]
  return kinds[n % kinds.length] as RunEvent
}

async function measureTreeIds(isQuick: boolean): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of isQuick ? [3_000] : [3_000, 100_000]) {
    await using repo = await generateRepo(count)
    const workspace = await openWorkspace(repo.root)
    const times = { id: [] as number[], status: [] as number[] }
    for (let round = 0; round < (isQuick ? 3 : 7); round++) {
      times.status.push(await timed(() => repo.git('status', '--porcelain')))
      times.id.push(await timed(() => treeId(workspace, repo.env())))
    }
    const { ms, ratio } = costOf(times.id, times.status)
    const result = `${ms.toFixed(0)} ms, ${ratio.toFixed(1)}x of git status`
    rows.push({ measure: `tree id of ${count} files`, result, goal: '', met: null })
  }
  return rows
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
