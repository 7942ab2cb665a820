import { readLedger } from '../../src/ledger/read.ts'
import type { TraceRecord } from '../../src/ledger/record.ts'
import { flushDaemon } from '../../src/workspace/daemon-address.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { shell } from './doctored.ts'
import { copyOf } from './hooked.ts'
import { type Repo, temporaryRepo } from './repo.ts'

type Wish = { readonly scope?: readonly string[]; readonly agent?: string }

/** A repository after `kotef init` and the adoption commit, with INT-001 started, which owns `src/**` unless told. */
export async function governedRepo(
  files: Readonly<Record<string, string | Buffer>> = {},
  { scope = ['src/**'], agent }: Wish = {},
): Promise<Repo> {
  const model = await modelOf(JSON.stringify({ scope, agent }))
  const repo = await copyOf(model)
  if (Object.keys(files).length === 0) return repo
  for (const [path, bytes] of Object.entries(files)) await repo.write(path, bytes)
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'before the test')
  return repo
}

const models = new Map<string, Promise<Repo>>()

/** Each kind of repository is made once a worker, and copied. */
function modelOf(wish: string): Promise<Repo> {
  const known = models.get(wish)
  if (known) return known
  const made = makeModel(JSON.parse(wish) as Required<Wish>)
  models.set(wish, made)
  return made
}

async function makeModel({ scope, agent }: Required<Wish>): Promise<Repo> {
  const repo = await temporaryRepo()
  await must(repo, 'init', '--yes', '--hooks', 'git')
  await must(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'the work', ...scope.flatMap(it => ['--scope', it]))
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'adopt kotef', '-m', 'Governance: adopt kotef')
  await must(repo, 'intent', 'start', 'INT-001', ...(agent ? ['--agent', agent] : []))
  return repo
}

/** Starts the daemon; it is killed when the test is over. */
export async function watching(repo: Repo): Promise<AsyncDisposable> {
  const daemon = repo.start('kotef-watch')
  await daemon.line(/kotef watches/)
  return daemon
}

/** Every record of the ledger, once the daemon has caught up. */
export async function ledgerOf(repo: Repo): Promise<TraceRecord[]> {
  if (!(await flushDaemon(await openWorkspace(repo.root), 30_000))) throw new Error('No daemon watches the repository.')
  return readLedger(await repo.read('.orchestration/agent_trace.jsonl')).entries.map(it => it.record)
}

/** The write records of the ledger, once the daemon has caught up. */
export async function writesOf(repo: Repo): Promise<TraceRecord[]> {
  return (await ledgerOf(repo)).filter(it => it.metadata['dev.kotef'].event === 'write')
}

/** The write records of a file under a daemon: when it is made, and after each of these commands of a shell. */
export async function writesAfter(repo: Repo, path: string, commands: readonly string[]): Promise<TraceRecord[]> {
  await using _daemon = await watching(repo)
  await repo.write(path, 'a\n')
  for (const it of commands) {
    await writesOf(repo)
    await shell(repo, it)
  }
  return await writesOf(repo) // While the daemon is there.
}

async function must(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}
