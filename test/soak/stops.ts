import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import { chainFaults, ledgerWrites, treeAfter } from '../rig/ledger-writes.ts'
import { randomFrom } from '../rig/random.ts'
import type { Repo } from '../rig/repo.ts'
import { differingPaths, type Tree, treeOnDisk } from '../rig/tree.ts'

/** What happens to 2,000 files at once. What git does is not recorded; the others are, each file once. */
const BURSTS = [
  {
    script: 'for n in $(seq 2000); do mkdir -p new/d$((n / 50)); echo "$0 $n" > new/d$((n / 50))/f$n; done',
    git: false,
  },
  { script: 'for f in src/*/*; do echo "more $0" >> $f; done', git: false },
  { script: 'rm -rf new src', git: false },
  { script: 'mv src moved$0', git: false },
  { script: 'git stash -qu', git: true },
  { script: 'git switch -qf other', git: true },
  { script: 'git clean -fdq; git checkout -qf main -- .', git: true },
]

const PREPARE = `for n in $(seq 2000); do mkdir -p src/d$((n / 50)); echo $n > src/d$((n / 50))/f$n; done
  git add src; git commit -qm files; git switch -qc other; git rm -rq src; git commit -qm none; git switch -q main`
const RESTORE = 'git clean -fdq; git checkout -qf main; git reset -q --hard main'

export type StopReport = { readonly endMs: readonly number[]; readonly wrong: readonly string[] }

/** Stops a daemon at random moments of bursts. Nothing that it acknowledged is lost, and the next one does the rest. */
export async function stopInBursts({ stops, seed }: { stops: number; seed: number }): Promise<StopReport> {
  const random = randomFrom(seed)
  await using repo = await governedRepo()
  await repo.run('sh', ['-ec', `git config core.hooksPath /dev/null; ${PREPARE}`])
  const [endMs, wrong]: [number[], string[]] = [[], []]
  for (let n = 0; n < stops; n++) {
    await repo.run('sh', ['-ec', RESTORE])
    const { script, git } = random.pick(BURSTS)
    const stopped = await stopOnce(repo, { script, name: String(n), afterMs: random.below(2_500) })
    endMs.push(stopped.ms)
    const differing = git ? [] : differingPaths(stopped.reported, treeOnDisk(repo.root))
    const faults = [...stopped.lost, ...differing, ...chainFaults(ledgerOf(repo))]
    if (faults.length > 0) wrong.push(`stop ${n}, ${script}: ${faults.length}, first ${faults.slice(0, 3).join(', ')}`)
  }
  return { endMs, wrong }
}

type Stopped = { readonly ms: number; readonly reported: Tree; readonly lost: readonly string[] }

async function stopOnce(
  repo: Repo,
  { script, name, afterMs }: { readonly script: string; readonly name: string; readonly afterMs: number },
): Promise<Stopped> {
  const workspace = await openWorkspace(repo.root)
  await using daemon = repo.start('kotef-watch', ['--json'])
  await daemon.line(/"ready"/)
  if (!(await flushDaemon(workspace, 60_000))) throw new Error('The daemon answers no flush.')
  const [base, before] = [treeOnDisk(repo.root), ledgerOf(repo).length]
  const lines = daemon.lines.length
  const burst = repo.run('sh', ['-c', script, name])
  await delay(afterMs)
  const from = performance.now()
  daemon.signal('SIGTERM')
  await daemon.ended
  const ms = performance.now() - from
  const after = ledgerOf(repo).slice(before)
  const acknowledged = daemon.lines.slice(lines).flatMap(it => RECORD_ID.exec(it)?.[1] ?? [])
  const lost = acknowledged.filter(id => !after.includes(id))
  await burst
  await using next = repo.start('kotef-watch')
  await next.line(/kotef is watching/)
  if (!(await flushDaemon(workspace, 60_000))) throw new Error('The next daemon answers no flush.')
  return { ms, lost, reported: treeAfter(base, ledgerWrites(ledgerOf(repo).slice(before))) }
}

const ledgerOf = (repo: Repo): string => readFileSync(join(repo.root, '.orchestration/agent_trace.jsonl'), 'utf8')

const RECORD_ID = /"record":\{"version":"[^"]+","id":"([^"]+)"/
