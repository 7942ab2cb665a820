import { type Change, emptyTree, parseRaw } from '../diff/staged.ts'
import type { GitQuery } from '../diff/query.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { type Approval, approvalsText, isApproved, planeOf } from '../rules/approval.ts'
import { approvalsOf, approvedPath } from './approvals.ts'
import { loadPolicy } from './policy.ts'
import { headOid } from '../diff/head-oid.ts'
import { record } from './record.ts'
import { registryMoves } from './registry-moves.ts'
import type { Workspace } from './workspace.ts'

/** What is staged of the governance plane, as it was when it was asked for: a tree does not change any more. */
export type StagedPlane = {
  readonly head: string | null
  readonly from: string
  readonly to: string
  readonly changes: readonly (Change & { readonly approved: boolean })[]
}

/** Looks at what is staged of the governance plane, and which of it a person has approved. */
export async function stagedPlane(workspace: Workspace): Promise<StagedPlane> {
  const { git } = workspace
  const head = await git.tryAsk(headOid)
  const from = head ?? (await git.ask(emptyTree))
  const to = await git.ask(stagedTree)
  const changes = await git.ask(changesBetween(from, to))
  const approvals = approvalsOf(workspace)
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const moves = registry?.before && registry.after ? ([registry.before.oid, registry.after.oid] as const) : null
  const plane = planeOf({
    changes,
    policy: await loadPolicy(workspace),
    registryMoves: moves !== null && (await registryMoves(workspace, ...moves)),
  })
  return { head, from, to, changes: plane.map(it => ({ ...it, approved: isApproved(it, head, approvals) })) }
}

/** The changes that are not approved yet, as plumbing shows them: it runs no program that the config names. */
export async function waitingDiff({ git }: Workspace, { from, to, changes }: StagedPlane): Promise<string> {
  const paths = changes.filter(it => !it.approved).map(it => `:(top,literal)${it.path}`)
  const flags = ['--text', '--no-color', '--no-renames', '--submodule=short']
  return git.ask({ args: ['diff-tree', '-r', '-p', ...flags, from, to, '--', ...paths], parse: out => out })
}

/** Writes down that a person approved these changes on top of this commit, and nothing else. */
export async function approve(workspace: Workspace, { head, changes }: Omit<Approval, 'at'>): Promise<void> {
  // Told first: an approval that the ledger can't tell of is none.
  await record(workspace, [{ event: { event: 'approved', parent: head, changes } }], { head })
  const at = new Date(workspace.clock.now()).toISOString()
  const approvals = [...approvalsOf(workspace), { head, at, changes }]
  await workspace.files.replace(approvedPath(workspace.gitDir), approvalsText(approvals), 0o600)
}

const stagedTree: GitQuery<string> = { args: ['write-tree'], parse: out => out.trim() }

function changesBetween(from: string, to: string): GitQuery<Change[]> {
  return { args: ['diff-tree', '-r', '-z', '--no-renames', '--ignore-submodules=none', from, to], parse: parseRaw }
}
