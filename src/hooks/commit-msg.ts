import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../report/finding.ts'
import { type CommitFacts, onlySettlesConflicts, type StagedFacts } from '../rules/facts.ts'
import { judgeCommit } from '../rules/judge-commit.ts'
import { POLICY_FILES } from '../scope/state.ts'
import { valuesOf } from '../trailers/read.ts'
import { carriedIntents } from './carried.ts'
import { stagedFacts } from './facts.ts'
import { intentsToStamp, readMessage, stamp } from './message.ts'
import { isRebasing, type Place } from './place.ts'
import { currentState } from './state.ts'

/** Judges the commit by what its message says, and names the live intent where an editor was open and nobody did. */
export function commitMsg(place: Place, file: string): Finding[] {
  rmSync(join(place.compiled, 'passed'), { force: true })
  const message = readMessage(place, file)
  // Git refuses an empty message by itself, and a rebased commit was judged when it was made.
  if (message.isEmpty || isRebasing(place)) return []
  const facts = stagedFacts(place, currentState(place).state, message.text)
  const cited = valuesOf(message.trailers, 'Intent-ID')
  const [governance = null] = valuesOf(message.trailers, 'Governance')
  const carried = carriedIntents(place, { comment: message.how.comment, intents: facts.policy.intents })
  const added = needsNoIntent(facts) ? [] : intentsToStamp(message, { live: facts.live, carried })
  const findings = judgeCommit({ ...facts, governance, cited: [...cited, ...added], misplaced: [] })
  if (findings.some(it => it.level === 'block')) return findings
  stamp(message, added)
  forgetPolicy(place, facts)
  // What a merge shows was shown when it was about to be made.
  return facts.conflicted === null ? findings : []
}

// A merge needs one only where it changes what neither git nor a conflict asked for.
function needsNoIntent(facts: StagedFacts): boolean {
  return facts.adoption || onlySettlesConflicts(facts)
}

// When this commit changes the policy, the compiled scope is of a policy that holds no longer once it is made.
function forgetPolicy({ compiled }: Place, { changes }: Pick<CommitFacts, 'changes'>): void {
  const active = join(compiled, 'active')
  if (changes.some(it => POLICY_FILES.includes(it.path)) && existsSync(active)) rmSync(active, { force: true })
}
