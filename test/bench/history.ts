import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordDraft } from '../../src/core/ledger/record.ts'
import { tracedRanges, removedRanges, tracedFile } from '../../src/core/ledger/traced-file.ts'
import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from '../rig/repo.ts'
import { oidOf } from '../rig/tree.ts'
import { type Effort, progress, type Row, rowTable } from './row.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { createBenchRepo } from './watched-repo.ts'

const LINES = 5_000
const FILE = 'bench/long.txt'
const OTHERS = 10

/** What it costs to know whose a line is: commits that are noted, a file that is blamed, a range that is verified. */
export async function benchHistory(print: (text: string) => void, wish: { isQuick: boolean; isJson: boolean }) {
  const effort = { isQuick: wish.isQuick, backend: null }
  const rows = await measureHistory(effort)
  print(wish.isJson ? JSON.stringify({ quick: wish.isQuick, rows }, null, 2) : rowTable(rows))
}

async function measureHistory(effort: Effort): Promise<Row[]> {
  const count = effort.isQuick ? 200 : 1_000
  await using repo = await createBenchRepo({ [FILE]: textOf([]), ...otherFiles() }, effort)
  progress(`${count} commits, half of them to a file of ${LINES} lines`)
  await writeHistory(repo, count)
  const rounds = effort.isQuick ? 5 : 31
  return [await measureAnnotation(repo, count), ...measureBlame(repo, rounds), measureVerify(repo, count / 2)]
}

/** The first question notes every commit; then one more is made. */
async function measureAnnotation(repo: Repo, count: number): Promise<Row> {
  progress(`noting ${count} commits`)
  const { ms, processes } = runCountingGit(repo, ['stats', '--json'])
  const again = runCountingGit(repo, ['stats', '--json'])
  await repo.write('bench/one-more.txt', 'one more\n')
  await repo.git('add', '--all')
  await repo.git('commit', '-q', '--no-verify', '-m', 'one more', '-m', 'Intent-ID: BENCH-1')
  const one = runCountingGit(repo, ['stats', '--json'])
  const then = `then ${again.ms.toFixed(0)} ms, ${again.processes}; for one ${one.processes}`
  const result = `${ms.toFixed(0)} ms, ${processes} git processes; ${then}`
  // The first time it is looked up where the ledger begins, and in no notes.
  return {
    measure: `finalise ${count} commits`,
    result,
    goal: 'no more than for one, but for the first look',
    met: processes <= one.processes + 5,
  }
}

function measureBlame(repo: Repo, rounds: number): Row[] {
  const times = { git: [] as number[], kotef: [] as number[] }
  for (let round = -1; round < rounds; round++) {
    process.stderr.write(`\r  blame, round ${round + 1} of ${rounds}`)
    for (const name of shuffle(['git', 'kotef'] as const)) {
      const words = name === 'git' ? ['git', 'blame', '--porcelain', FILE] : ['kotef', 'blame', '--json', FILE]
      const { ms } = timedRun(repo, words)
      if (round >= 0) times[name].push(ms)
    }
  }
  process.stderr.write('\n')
  const { ratio } = costOf(times.kotef, times.git)
  const [kotef, git] = [times.kotef, times.git].map(it => quantile(it, 0.5).toFixed(0))
  const { processes } = runCountingGit(repo, ['blame', '--json', FILE])
  const result = `${ratio.toFixed(2)}x (${kotef} ms, ${git} ms), ${processes} git processes`
  return [{ measure: `blame of ${LINES} lines`, result, goal: 'at most 1.5x of git blame', met: ratio <= 1.5 }]
}

function measureVerify(repo: Repo, count: number): Row {
  progress(`verifying ${count} commits`)
  const one = runCountingGit(repo, ['verify', 'HEAD~2..HEAD~1', '--json'])
  const { ms, processes } = runCountingGit(repo, ['verify', `HEAD~${count + 1}..HEAD~1`, '--json'])
  const result = `${ms.toFixed(0)} ms, ${processes} git processes (of one commit ${one.processes})`
  return {
    measure: `verify ${count} commits`,
    result,
    goal: 'as many processes as for one',
    met: processes <= one.processes + 5,
  }
}

/** Commits, and the ledger of what was written for them; every other one changes a line of the long file. */
async function writeHistory(repo: Repo, count: number): Promise<void> {
  const workspace = await openWorkspace(repo.root)
  const hasher = await loadHasher()
  const tip = (await repo.git('rev-parse', 'HEAD')).trim()
  const changed = new Map<string, string[]>()
  const drafts: RecordDraft[] = []
  const stream = [`reset refs/heads/main\nfrom ${tip}\n`]
  for (let n = 0; n < count; n++) {
    const path = n % 2 === 0 ? FILE : `bench/other-${n % OTHERS}.txt`
    const before = changed.get(path) ?? []
    const line = path === FILE ? ((n * 7) % LINES) + 1 : (n % 50) + 1
    const after = before.slice()
    after[line - 1] = `what agent ${n % 3} wrote in commit ${n}`
    changed.set(path, after)
    const [old, now] = [textOf(before), textOf(after)]
    const hunks = [{ line, lines: 1, addedLine: line, addedLines: 1 }]
    const change = { op: 'modify', before: oidOf(old), after: oidOf(now), removed: removedRanges(hunks) } as const
    const contributor = { type: 'ai', model_id: `maker/agent-${n % 3}` } as const
    const credit = { contributor, session: `session-${n % 3}`, intent: 'BENCH-1' }
    const ranges = tracedRanges(Buffer.from(now), hunks, hasher)
    const event = { event: 'write', attribution: 'claimed', source: 'daemon' } as const
    drafts.push({ event, files: [tracedFile(path, change, { ranges, credit })] })
    const message = `change ${n}\n\nIntent-ID: BENCH-1\n`
    stream.push(`commit refs/heads/main\ncommitter Bench <bench@example.org> ${1_800_000_000 + n} +0000\n`)
    stream.push(`data ${message.length}\n${message}M 100644 inline ${path}\ndata ${now.length}\n${now}\n`)
  }
  await appendRecords(workspace, drafts)
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: repo.root,
    env: repo.env(),
    input: stream.join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) throw new Error(`git fast-import ended with ${status}:\n${stderr}`)
  await repo.git('reset', '-q', '--hard')
}

function otherFiles(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: OTHERS }, (_, n) => [`bench/other-${n}.txt`, textOf([])]))
}

/** The long text, with some lines changed. */
function textOf(changed: readonly string[]): string {
  return Array.from({ length: LINES }, (_, n) => `${changed[n] ?? `an old line ${n}`}\n`).join('')
}

/** Runs kotef under a git that counts how often it is called. */
function runCountingGit(repo: Repo, words: readonly string[]): { ms: number; processes: number } {
  const folder = join(repo.base, 'counting')
  const log = join(repo.base, 'counted')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho x >> '${log}'\nPATH="\${PATH#*:}" exec git "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  rmSync(log, { force: true })
  writeFileSync(log, '')
  const env = repo.env()
  const { ms } = timedRun(repo, ['kotef', ...words], { PATH: `${folder}:${env['PATH'] ?? ''}` })
  return { ms, processes: readFileSync(log, 'utf8').length / 2 }
}

function timedRun(
  repo: Repo,
  [program = '', ...words]: readonly string[],
  more: Record<string, string> = {},
): { ms: number } {
  const options = { cwd: repo.root, env: { ...repo.env(), ...more }, encoding: 'utf8', maxBuffer: 2 ** 30 } as const
  const from = performance.now()
  const { status, stderr } = spawnSync(program, words, options)
  const ms = performance.now() - from
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stderr}`)
  return { ms }
}
