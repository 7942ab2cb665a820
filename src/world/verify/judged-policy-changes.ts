import type { Finding } from '../../core/base/finding.ts'
import { isPolicyFile, POLICY_ENTRIES } from '../../core/base/governance-files.ts'
import { isTransitionsOnly } from '../intents/registry/transitions-only.ts'
import { isApprovedAnywhere } from '../../core/rules/approval.ts'
import { acceptedBefore } from '../../core/rules/range-rules.ts'
import { type Commit, commitsIn } from '../../core/git/trailers/commits.ts'
import type { GovernanceFacts } from './governance-findings.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { VerifyRange } from './range.ts'

/**
 * The commits that are judged with those of a push to a default branch. They were judged on another branch, but the
 * policy that they change is new to this one: its old tip has the policy that counts. None where they change no policy.
 */
export async function judgedPolicyCommits(
  { git }: Pick<ScratchWorkspace, 'git'>,
  { to, movedFrom }: VerifyRange,
  commits: readonly Commit[],
): Promise<readonly Commit[]> {
  if (movedFrom === null) return []
  const revisions = [to, '--not', movedFrom]
  // Of two sides of a merge, git would leave out the one whose policy the merge does not keep.
  const args = ['rev-list', '--full-history', ...revisions, '--', ...POLICY_ENTRIES]
  const changing = await git.ask({ args, parse: out => out.split('\n').slice(0, -1) })
  const own = new Set(commits.map(it => it.oid))
  if (changing.every(it => own.has(it))) return []
  const known = (await git.ask(commitsIn(revisions, { countMax: null }))).filter(it => !own.has(it.oid))
  return known.some(it => it.changes.some(change => isPolicyFile(change.path))) ? known : []
}

/**
 * Answers which findings of such a commit count: what it changes in the policy is news, and what the policy from before
 * does not allow. The latter was accepted with that change, and is for review where no agent made the change.
 */
export function policyFindingsOf(
  { blobs }: Pick<ScratchWorkspace, 'blobs'>,
  known: readonly Commit[],
  { approvals, isByAgent }: Pick<GovernanceFacts, 'approvals' | 'isByAgent'>,
) {
  const isAgents = async () => {
    for (const { oid, changes } of known)
      for (const it of changes.filter(each => isPolicyFile(each.path) && !isApprovedAnywhere(each, approvals)))
        if (!(await isTransitionsOnly(blobs, it)) && (await isByAgent(oid, it))) return true
    return false
  }
  let answer: Promise<boolean> | null = null
  return async <F extends Finding>(findings: readonly F[]): Promise<readonly F[]> => {
    const ofPolicy = findings.filter(it => POLICY_RULES.has(it.rule))
    if (!ofPolicy.some(it => it.rule === 'policy-in-range')) return ofPolicy
    answer ??= isAgents()
    return (await answer) ? ofPolicy : ofPolicy.map(acceptedBefore)
  }
}

const POLICY_RULES: ReadonlySet<string> = new Set([
  ...['governance-changed', 'governance-loosened', 'governance-unsigned', 'policy-in-range'],
])
