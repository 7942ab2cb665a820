import { changedPolicyFiles } from './changed-policy-files.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { isAncestor, mergeBase } from '../../core/git/revisions.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { asEnforced } from '../../core/rules/apply-rules.ts'
import {
  deletedBranch,
  droppedCommits,
  lostRegistry,
  otherHistory,
  policyTakenBack,
  type ReplacedTip,
} from '../../core/rules/replaced-history.ts'
import { policyLookup } from '../commits/base-policy.ts'
import { commitsIn } from '../../core/git/trailers/commits.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import { readBlobText } from '../io/worktree/head.ts'
import { dayOf } from '../../core/intents/enforcement.ts'
import { policyOn } from '../../core/intents/scope/policy.ts'
import type { Finding } from '../../core/base/finding.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { VerifyRange } from './range.ts'

/**
 * The findings of a reference that does not keep the history that it had: it keeps its registry, and on a default
 * branch what its policy forbids, unless the new tip says that a person replaces the old one.
 */
export async function replacedHistoryFindings(
  workspace: ScratchWorkspace,
  { name, to, replaces }: Pick<VerifyRange, 'name' | 'to' | 'replaces'>,
): Promise<CommitFinding[]> {
  if (replaces === null) return []
  const { git, blobs, clock } = workspace
  const { commit: old, kind } = replaces
  const hasRegistry = async (commit: string) => (await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) !== null
  if (!(await hasRegistry(old)) || (await git.tryAsk(isAncestor(old, to))) !== false) return []
  const tip = { name, old, next: to, isApproved: false }
  if (!(await hasRegistry(to))) return [asFinding(lostRegistry(tip, { isBranch: kind !== 'range' }))]
  // In a shallow clone the two may be related all the same.
  if (kind === 'range' || (await readShallowEnds(workspace)).size > 0) return []
  const [newest] = await git.ask(commitsIn(['--no-walk', to], { countMax: 1 }))
  const approved = { ...tip, isApproved: newest?.governance?.includes(`replaces ${old.slice(0, 10)}`) ?? false }
  const base = await git.tryAsk(mergeBase(old, to))
  const found =
    base === null
      ? [otherHistory(approved)]
      : kind === 'default-branch'
        ? await rewoundFindings(workspace, approved, base)
        : []
  const declared = await policyLookup(blobs)(old)
  const policy = declared && policyOn(dayOf(clock.now()), declared)
  return (policy ? asEnforced(found, policy) : found).map(asFinding)
}

async function rewoundFindings(workspace: ScratchWorkspace, tip: ReplacedTip, base: string): Promise<Finding[]> {
  const { old, next } = tip
  const count = await workspace.git.ask(countOf([old, '--not', next]))
  // What the new commits allow, they allow in the open: they are judged themselves.
  const own = await changedPolicyFiles(workspace, base, next)
  const lost = (await changedPolicyFiles(workspace, old, next)).filter(
    it => !own.some(known => known.path === it.path && known.description === it.description),
  )
  return lost.length === 0 ? [droppedCommits(tip, count)] : lost.map(it => policyTakenBack(tip, it))
}

function countOf(revisions: readonly string[]): GitQuery<number> {
  return { args: ['rev-list', '--count', ...revisions, '--'], parse: Number }
}

/** The finding of a governed default branch that is to be deleted. */
export async function deletedBranchFindings(
  { blobs }: Pick<ScratchWorkspace, 'blobs'>,
  { name, old }: Pick<ReplacedTip, 'name' | 'old'>,
): Promise<CommitFinding[]> {
  const registry = await readBlobText(blobs, `${old}:${REGISTRY_PATH}`)
  return registry === null ? [] : [asFinding(deletedBranch(name))]
}

function asFinding(finding: Finding): CommitFinding {
  return { ...finding, commit: null, subject: null }
}
