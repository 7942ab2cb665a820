import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import type { TraceRecord } from '../../src/core/ledger/record.ts'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { runShell } from './doctor-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import { type HostedDaemon, type HostedOptions, startHostedDaemon } from './hosted-daemon.ts'
import { type Repo, temporaryRepo } from './repo.ts'

type RepoOptions = { readonly scope?: readonly string[]; readonly agent?: string }

/** A repository after `kotef init` and the adoption commit, with INT-001 started, which owns `src/**` unless told. */
export async function governedRepo(
  files: Readonly<Record<string, string | Buffer>> = {},
  { scope = ['src/**'], agent }: RepoOptions = {},
): Promise<Repo> {
  const model = await templateFor(JSON.stringify({ scope, agent }))
  const repo = await copyGoverned(model)
  if (Object.keys(files).length === 0) return repo
  for (const [path, bytes] of Object.entries(files)) await repo.write(path, bytes)
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'before the test')
  return repo
}

const templates = new Map<string, Promise<Repo>>()

/** Each kind of repository is made once a worker, and copied. */
function templateFor(wish: string): Promise<Repo> {
  const known = templates.get(wish)
  if (known) return known
  const made = makeTemplate(JSON.parse(wish) as Required<RepoOptions>)
  templates.set(wish, made)
  return made
}

async function makeTemplate({ scope, agent }: Required<RepoOptions>): Promise<Repo> {
  const repo = await temporaryRepo()
  await kotefOrThrow(repo, 'init', '--yes', '--hooks', 'git')
  await kotefOrThrow(
    repo,
    'intent',
    'add',
    '--id',
    'INT-001',
    '--name',
    'the work',
    ...scope.flatMap(it => ['--scope', it]),
  )
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'adopt kotef', '-m', 'Governance: adopt kotef')
  await kotefOrThrow(repo, 'intent', 'start', 'INT-001', ...(agent ? ['--agent', agent] : []))
  return repo
}

/** Starts the daemon; it is stopped when the test is over. A test of the process itself starts `kotef-watch`. */
export function startWatching(repo: Repo, options?: HostedOptions): Promise<HostedDaemon> {
  return startHostedDaemon(repo, options)
}

/** Every record of the ledger, once the daemon has caught up. */
export async function flushedRecords(repo: Repo): Promise<TraceRecord[]> {
  const workspace = workspaces.get(repo) ?? openWorkspace(repo.root)
  workspaces.set(repo, workspace)
  if (!(await flushDaemon(await workspace, 30_000))) throw new Error('No daemon is watching the repository.')
  return readLedger(await repo.read('.orchestration/agent_trace.jsonl')).entries.map(it => it.record)
}

// Git is asked once where a repository is.
const workspaces = new WeakMap<Repo, Promise<Workspace>>()

/** The write records of the ledger, once the daemon has caught up. */
export async function flushedWrites(repo: Repo): Promise<TraceRecord[]> {
  return (await flushedRecords(repo)).filter(it => it.metadata['dev.kotef'].event === 'write')
}

/** The write records of a file under a daemon: when it is made, and after each of these commands of a shell. */
export async function writesAfterCommands(
  repo: Repo,
  path: string,
  commands: readonly string[],
): Promise<TraceRecord[]> {
  await using _daemon = await startWatching(repo)
  await repo.write(path, 'a\n')
  for (const it of commands) {
    await flushedWrites(repo)
    await runShell(repo, it)
  }
  return await flushedWrites(repo) // While the daemon is there.
}

async function kotefOrThrow(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}
