import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { adoptForBench } from './repositories.ts'
import { type Effort, type Measure, progress, type Row } from './row.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { cpuSecondsOf, flushLedger, memoryOf, setBackend, startBenchDaemon, watchesOf } from './watched-repo.ts'

const FILES = 100_000
const FOLDERS = 5_000
const IGNORED = 50_000
// Until what is left of the start is cleared away, and the daemon's rhythm has had git asked once.
const IDLE_SECONDS = 180

/** Start, memory, watches and idleness in a large tree. */
export const measureScale: Measure = async effort => {
  await using repo = await largeTree(effort)
  const { ready, bare } = await startTimes(repo, effort.isQuick ? 3 : 7)
  const { ms, ratio } = costOf(ready, bare)
  const result = `${ratio.toFixed(2)}x (${ms.toFixed(0)} ms, walk ${quantile(bare, 0.5).toFixed(0)} ms)`
  const row: Row = { measure: `ready on ${FILES} files`, result, goal: 'at most 2x a bare walk', met: ratio <= 2 }
  return [row, ...(await measureIdle(repo))]
}

async function largeTree({ backend }: Effort): Promise<Repo> {
  progress(`a tree of ${FILES} files in ${FOLDERS} folders, and ${IGNORED} ignored ones`)
  const repo = await temporaryRepo({ '.gitignore': 'node_modules\n' })
  fill(join(repo.root, 'src'), FILES, FOLDERS)
  await repo.git('config', 'gc.auto', '0')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'chore: all files')
  await repo.git('gc', '--quiet')
  fill(join(repo.root, 'node_modules'), IGNORED, IGNORED / 20)
  await adoptForBench(repo)
  await setBackend(repo, backend)
  return repo
}

// 50 folders side by side, the others in them.
function fill(top: string, files: number, folders: number): void {
  for (let folder = 0; folder < folders; folder++) {
    const path = join(top, `p${folder % 50}`, folder < 50 ? '' : `q${folder}`)
    mkdirSync(path, { recursive: true })
    for (let n = 0; n < files / folders; n++) writeFileSync(join(path, `f${n}.ts`), `export const n = ${folder + n}\n`)
  }
}

/** From the start of a process until it says that it is ready: the daemon, and the walk beside it, in turn. */
async function startTimes(repo: Repo, rounds: number): Promise<{ ready: number[]; bare: number[] }> {
  const times = { ready: [] as number[], bare: [] as number[] }
  await repo.write('../walk.mjs', WALK)
  const walk = ['node', [join(repo.base, 'walk.mjs'), repo.root], /ready/] as const
  const stages = { ready: ['kotef-watch', [], /kotef is watching/] as const, bare: walk }
  // The round before the first warms the caches.
  for (let round = -1; round < rounds; round++) {
    progress(`start ${round + 1} of ${rounds}`)
    for (const name of shuffle(['ready', 'bare'] as const)) {
      const ms = await timedStart(repo, stages[name])
      if (round >= 0) times[name].push(ms)
    }
  }
  return times
}

async function timedStart(repo: Repo, [command, words, ready]: readonly [string, readonly string[], RegExp]) {
  const from = performance.now()
  await using started = repo.start(command, words)
  await started.line(ready)
  const ms = performance.now() - from
  started.signal('SIGTERM')
  await started.ended
  return ms
}

// The least that anybody who watches a tree must do: walk it, and one watch for each folder.
const WALK = `import { readdirSync, watch } from 'node:fs'
const folders = [process.argv[2]]
for (let folder = folders.pop(); folder; folder = folders.pop()) {
  watch(folder, () => {})
  for (const it of readdirSync(folder, { withFileTypes: true }))
    if (it.isDirectory() && it.name !== '.git' && it.name !== 'node_modules') folders.push(folder + '/' + it.name)
}
console.log('ready')
`

async function measureIdle(repo: Repo): Promise<Row[]> {
  await using daemon = await startBenchDaemon(repo)
  const workspace = await openWorkspace(repo.root)
  // The second is answered when what the start still asks of git is over.
  await flushLedger(workspace)
  await flushLedger(workspace)
  const watches = watchesOf(daemon.pid)
  const before = cpuSecondsOf(daemon.pid)
  progress(`${IDLE_SECONDS} seconds of nothing`)
  await delay(IDLE_SECONDS * 1000)
  const idle = ((cpuSecondsOf(daemon.pid) - before) / IDLE_SECONDS) * 100
  const { nowMb, mostMb } = memoryOf(daemon.pid)
  const most = FOLDERS + SMALL_FOLDERS
  return [
    {
      measure: `memory on ${FILES} files`,
      result: `${nowMb.toFixed(0)} MB (peak ${mostMb.toFixed(0)} MB)`,
      goal: 'at most 150 MB',
      met: nowMb <= 150,
    },
    { measure: 'inotify watches', result: `${watches}`, goal: `at most ${most}, one a folder`, met: watches <= most },
    {
      measure: `idle CPU over ${IDLE_SECONDS} s, with git's`,
      result: `${idle.toFixed(2)} %`,
      goal: 'below 0.5 %',
      met: idle < 0.5,
    },
  ]
}

// The top, src, the places of the registry, the policy and the git hooks, and three of git's own.
const SMALL_FOLDERS = 8
