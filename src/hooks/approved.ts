import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { type Approval, approvalsIn, isApproved, planeOf } from '../rules/approval.ts'
import type { StagedFacts } from '../rules/facts.ts'
import { type Place, tryAsk } from './place.ts'

/** True when a person has approved every staged change of the governance plane, on top of what HEAD is now. */
export function isApprovedHere(
  place: Pick<Place, 'gitDir'>,
  facts: Pick<StagedFacts, 'changes' | 'policy' | 'registryMoves'>,
): boolean {
  const approvals = approvalsHere(place)
  if (approvals.length === 0) return false
  const head = tryAsk(headCommit)
  return planeOf(facts).every(it => isApproved(it, head, approvals))
}

// What others could have written approves nothing.
function approvalsHere({ gitDir }: Pick<Place, 'gitDir'>): Approval[] {
  const path = join(gitDir, 'kotef/approved.json')
  try {
    const { mode, uid } = lstatSync(path)
    const isOurs = uid === process.geteuid?.() && (mode & 0o077) === 0
    return isOurs ? approvalsIn(readFileSync(path, 'utf8')) : []
  } catch {
    return []
  }
}

const headCommit: GitQuery<string> = { args: ['rev-parse', '--verify', '--quiet', 'HEAD'], parse: out => out.trim() }
