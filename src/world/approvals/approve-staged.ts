import { emptyTree, type PathChange, treeChanges } from '../../core/git/changes.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { gitStatus } from '../../core/git/status.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import { policyForAgents } from '../../core/intents/scope/policy.ts'
import { type Approval, isApproved, governanceFilesIn } from '../../core/rules/approval.ts'
import { gatherApprovals, saveApproval } from './read-approvals.ts'
import { loadPolicy } from '../intents/policy/load-policy.ts'
import { readHead } from '../io/worktree/head.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { gather } from '../io/git/gather.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { lessonsFactOf } from '../lessons/lessons-change.ts'
import { onlyTransitionsIn } from '../intents/registry/transitions-only.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The staged changes of governance files, between two trees: trees do not change while a person decides. */
export type StagedGovernance = {
  readonly head: string | null
  readonly from: string
  readonly to: string
  readonly changes: readonly (PathChange & { readonly approved: boolean })[]
}

/** The staged changes of governance files, and whether a person has approved each. */
export async function stagedGovernance(workspace: Workspace): Promise<StagedGovernance> {
  const { git } = workspace
  const head = await readHead(workspace)
  const from = head ?? (await git.ask(emptyTree))
  const to = await git.ask(writeIndexTree)
  const changes = await git.ask(treeChanges(from, to))
  const approvals = await gather(workspace, gatherApprovals(workspace))
  const governanceChanges = governanceFilesIn({
    changes,
    policy: await loadPolicy(workspace),
    ...(await undecided(workspace, changes)),
  })
  return {
    head,
    from,
    to,
    changes: governanceChanges.map(it => ({ ...it, approved: isApproved(it, head, approvals) })),
  }
}

/** The changed governance files of the worktree. */
export async function unstagedGovernance(workspace: Workspace): Promise<string[]> {
  const judge = judgePath(policyForAgents(await loadPolicy(workspace)))
  const changed = (await workspace.git.ask(gitStatus)).map(it => it.path)
  return changed.filter(it => judge([], it).kind === 'governance')
}

async function undecided({ root }: Workspace, changes: readonly PathChange[]) {
  await using blobs = openBlobs(root)
  const onlyTransitions = await onlyTransitionsIn(blobs, changes)
  return { onlyTransitions, ...(await lessonsFactOf(blobs, changes)) }
}

/** The diff of the changes that are not approved. By plumbing, which runs no diff program that the config names. */
export async function unapprovedDiff({ git }: Workspace, { from, to, changes }: StagedGovernance): Promise<string> {
  const paths = changes.filter(it => !it.approved).map(it => `:(top,literal)${it.path}`)
  const flags = ['--text', '--no-color', '--no-renames', '--submodule=short']
  return git.ask({ args: ['diff-tree', '-r', '-p', ...flags, from, to, '--', ...paths], parse: out => out })
}

/** Records that a person approved these changes on top of this commit. */
export async function recordApproval(
  workspace: Workspace,
  { head, changes, person }: Omit<Approval, 'at'>,
): Promise<void> {
  // The ledger comes first: an approval that is not in the ledger must not have any effect.
  await appendRecords(workspace, [{ event: { event: 'approved', parent: head, changes, person } }], { head })
  await saveApproval(workspace, { head, changes, person })
}

const writeIndexTree: GitQuery<string> = { args: ['write-tree'], parse: out => out.trim() }
