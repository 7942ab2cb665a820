import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import type { RunningProgram } from '../rig/running-program.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { adoptForBench } from './repositories.ts'
import type { Effort } from './row.ts'

/** A governed repository with a daemon, and what a bench asks of the two. */
export type WatchedRepo = AsyncDisposable & {
  readonly repo: Repo
  readonly daemon: RunningProgram
  /** Returns when all that was written is in the ledger. */
  flush(): Promise<void>
}

/** A repository with these files in its first commit, governed and not yet watched. */
export async function createBenchRepo(files: Readonly<Record<string, string>>, { backend }: Effort): Promise<Repo> {
  const repo = await temporaryRepo(files)
  await repo.git('config', 'gc.auto', '0')
  await adoptForBench(repo)
  await setBackend(repo, backend)
  return repo
}

/** Chooses the watcher by the repository's config. */
export async function setBackend(repo: Repo, backend: string | null): Promise<void> {
  if (backend === null) return
  await repo.write('.orchestration/config.yaml', `version: 1\nwatch:\n  backend: ${backend}\n`)
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message', 'chore: the watcher')
}

/** Starts a daemon in a repository; both are gone when it is disposed of. */
export async function startWatchedRepo(repo: Repo): Promise<WatchedRepo> {
  const daemon = await startBenchDaemon(repo)
  const workspace = await openWorkspace(repo.root)
  return {
    repo,
    daemon,
    flush: () => flushLedger(workspace),
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}

/** A daemon that is ready. */
export async function startBenchDaemon(repo: Repo): Promise<RunningProgram> {
  const daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  return daemon
}

/** Returns when all that was written is in the ledger, however long it takes. */
export async function flushLedger(workspace: Workspace): Promise<void> {
  if (!(await flushDaemon(workspace, FLUSH_MS_MAX))) throw new Error('The daemon has ended.')
}

const FLUSH_MS_MAX = 600_000

/** The text of a repository's ledger. */
export function ledgerText(repo: Repo): string {
  return readFileSync(join(repo.root, '.orchestration/agent_trace.jsonl'), 'utf8')
}

/** Resident memory of a process, in MB: now, and the most it ever was. */
export function memoryOf(pid: number): { nowMb: number; mostMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  return { nowMb: mb('VmRSS'), mostMb: mb('VmHWM') }
}

/** Seconds of CPU that a process has used, those that it started and that are over with it. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0) / TICKS_PER_SECOND
}

// What Linux tells every program, whatever the kernel's own tick is.
const TICKS_PER_SECOND = 100

/** How many inotify watches a process holds. */
export function watchesOf(pid: number): number {
  const infos = readdirSync(`/proc/${pid}/fdinfo`).map(fd => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))
  return infos.join('').match(/^inotify wd:/gm)?.length ?? 0
}
