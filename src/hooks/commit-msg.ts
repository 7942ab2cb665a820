import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../report/finding.ts'
import type { CommitFacts } from '../rules/facts.ts'
import { judgeCommit } from '../rules/judge-commit.ts'
import { POLICY_FILES } from '../scope/state.ts'
import { valuesOf } from '../trailers/read.ts'
import { stagedFacts } from './facts.ts'
import { intentToStamp, readMessage, stamp } from './message.ts'
import { isMerging, isRebasing, type Place } from './place.ts'
import { currentState } from './state.ts'

/** Judges the commit by what its message says, and names the live intent where an editor was open and nobody did. */
export function commitMsg(place: Place, file: string): Finding[] {
  rmSync(join(place.compiled, 'passed'), { force: true })
  const message = readMessage(place, file)
  // Git refuses an empty message by itself; merges name no intent, and a rebased commit was judged when it was made.
  if (message.isEmpty || isMerging(place) || isRebasing(place)) return []
  const facts = stagedFacts(place, currentState(place).state)
  const cited = valuesOf(message.trailers, 'Intent-ID')
  const [governance = null] = valuesOf(message.trailers, 'Governance')
  const added = facts.adoption ? null : intentToStamp(message, facts.live)
  const findings = judgeCommit({ ...facts, governance, cited: added === null ? cited : [added], inherited: [] })
  if (findings.some(it => it.level === 'block')) return findings
  if (added !== null) stamp(message, added)
  forgetPolicy(place, facts)
  return findings
}

// When this commit changes the policy, the compiled scope is of a policy that holds no longer once it is made.
function forgetPolicy({ compiled }: Place, { changes }: Pick<CommitFacts, 'changes'>): void {
  const active = join(compiled, 'active')
  if (changes.some(it => POLICY_FILES.includes(it.path)) && existsSync(active)) rmSync(active, { force: true })
}
