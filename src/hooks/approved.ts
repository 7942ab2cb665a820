import type { GitQuery } from '../diff/query.ts'
import { isApproved, planeOf } from '../rules/approval.ts'
import type { StagedFacts } from '../rules/facts.ts'
import { approvalsOf } from '../workspace/approvals.ts'
import { type Place, tryAsk } from './place.ts'

/** True when a person has approved every staged change of the governance plane, on top of what HEAD is now. */
export function isApprovedHere(
  place: Pick<Place, 'gitDir'>,
  facts: Pick<StagedFacts, 'changes' | 'policy' | 'registryMoves'>,
): boolean {
  const approvals = approvalsOf(place)
  if (approvals.length === 0) return false
  const head = tryAsk(headCommit)
  return planeOf(facts).every(it => isApproved(it, head, approvals))
}

const headCommit: GitQuery<string> = { args: ['rev-parse', '--verify', '--quiet', 'HEAD'], parse: out => out.trim() }
