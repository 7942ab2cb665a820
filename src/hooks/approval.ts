import { headOid } from '../git/head-oid.ts'
import { isApproved, governanceFilesIn } from '../rules/approval.ts'
import type { StagedFacts } from '../rules/commit-facts.ts'
import { readApprovals } from '../approvals/read-approvals.ts'
import { tryAskGitSync } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'

/** True when a person has approved every staged change of a governance file, on top of the current HEAD. */
export function isApprovedHere(
  context: Pick<HookContext, 'gitDir'>,
  facts: Pick<StagedFacts, 'changes' | 'policy' | 'onlyTransitions'>,
): boolean {
  const approvals = readApprovals(context)
  if (approvals.length === 0) return false
  const head = tryAskGitSync(headOid)
  return governanceFilesIn(facts).every(it => isApproved(it, head, approvals))
}
