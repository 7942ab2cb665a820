import { join } from 'node:path'
import { changesOf, type Commit, commitsIn } from '../diff/commits.ts'
import { REGISTRY_PATH, readRegistry } from '../intents/registry.ts'
import type { Draft } from '../ledger/draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { judgeCommit } from '../rules/judge-commit.ts'
import type { Policy } from '../scope/policy.ts'
import { loadPolicy } from './policy.ts'
import { headOid, record } from './record.ts'
import { registryMoves } from './registry-moves.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Judges the commits that the post-commit hook told of, and records each broken rule: what got in by `--no-verify`, by
 * `KOTEF=0` or in a flow that runs no pre-commit does not pass unseen.
 */
export async function judgeHistory(workspace: Workspace): Promise<TraceRecord[]> {
  const { own } = placesOf(workspace)
  const { files } = workspace
  const [queue, taken] = [join(own, 'queue'), join(own, 'queue.taken')]
  // A judgement that was cut short left what it had taken; that comes first.
  if ((await files.modifiedAt(taken)) === null) await files.move(queue, taken)
  const told = await linesOf(workspace, taken)
  const records = told.length > 0 ? await judgeTold(workspace, told) : []
  // A hook that had the file open when it was taken may have written since.
  const late = (await linesOf(workspace, taken)).slice(told.length)
  if (late.length > 0) records.push(...(await judgeTold(workspace, late)))
  await files.remove(taken)
  return records
}

async function judgeTold(workspace: Workspace, told: readonly string[]): Promise<TraceRecord[]> {
  const head = await workspace.git.tryAsk(headOid)
  if (head === null) return []
  const policy = await loadPolicy(workspace)
  const commits = await commitsSince(workspace, head, told.length)
  const findings = await Promise.all(commits.map(it => violationsIn(workspace, policy, it)))
  const skipped: Draft[] = told.includes('commit skipped') ? [{ event: { event: 'skipped', commit: head } }] : []
  const records = await record(workspace, [...skipped, ...findings.flat()], { head })
  await workspace.files.put(judgedPath(workspace), head)
  return records
}

async function linesOf({ files }: Workspace, path: string): Promise<string[]> {
  const bytes = await files.read(path)
  return (
    bytes
      ?.toString('latin1')
      .split('\n')
      .filter(it => it !== '') ?? []
  )
}

async function commitsSince(workspace: Workspace, head: string, told: number): Promise<Commit[]> {
  const judged = (await workspace.files.read(judgedPath(workspace)))?.toString('latin1')
  if (!judged) return workspace.git.ask(commitsIn(head, told))
  return (await workspace.git.tryAsk(commitsIn(`${judged}..${head}`, COMMITS_MAX))) ?? []
}

// A rebase of more commits than this is for the check in CI.
const COMMITS_MAX = 200

async function violationsIn(workspace: Workspace, policy: Policy, commit: Commit): Promise<Draft[]> {
  const changes = await workspace.git.ask(changesOf(commit.oid))
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const adoption = Boolean(registry && !registry.before && registry.after)
  const then = await registryAt(workspace, commit.parent)
  if (then === null && !adoption) return []
  const moved = registry?.before && registry.after ? ([registry.before.oid, registry.after.oid] as const) : null
  const findings = judgeCommit({
    ...commit,
    changes,
    policy: { ...policy, intents: policy.intents.map(it => ({ ...it, status: then?.get(it.id) ?? it.status })) },
    live: [],
    agents: [],
    approved: false,
    inherited: [],
    adoption,
    replaying: false,
    registryMoves: moved ? await registryMoves(workspace, ...moved) : false,
  })
  return findings.map(({ rule, path, message }) => ({
    event: { event: 'violation', rule, path, message, intent: commit.cited[0] ?? null, commit: commit.oid },
  }))
}

/** The statuses of a commit's registry, open ones as IN_PROGRESS: it was started by then. Null: it has no registry. */
async function registryAt({ git }: Workspace, commit: string | null) {
  if (commit === null) return null
  const blob = { args: ['cat-file', 'blob', `${commit}:${REGISTRY_PATH}`], parse: (out: string) => out }
  const text = await git.tryAsk(blob)
  if (text === null) return null
  const closed = new Set(['COMPLETED', 'ABANDONED'])
  const { intents } = readRegistry(text)
  return new Map(intents.map(({ id, status }) => [id, closed.has(status) ? status : ('IN_PROGRESS' as const)]))
}

function judgedPath(workspace: Workspace): string {
  return join(placesOf(workspace).own, 'judged')
}
