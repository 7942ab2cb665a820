import type { Finding } from '../base/finding.ts'
import { printable } from '../base/printable.ts'
import {
  type CommitFacts,
  inheritedIntents,
  intentsOwning,
  isInherited,
  type SortedChanges,
  workIntents,
} from './commit-facts.ts'

/**
 * An agent works for the intent that it has selected, and commits for that one alone. The ledger shows afterwards that
 * an agent wrote outside of its scope what a commit has for another intent; a person may want that.
 */
export function agentsCiteTheirIntent(facts: CommitFacts, sorted: SortedChanges): Finding[] {
  const { byAgent, live, cited, claimedByOthers } = facts
  if (byAgent && live.length > 0) {
    // Other rules refuse an intent that is closed, is not in HEAD, or is claimed.
    const free = workIntents(facts.policy).filter(it => !it.isUncommitted && !it.isReopened)
    const others = free.filter(it => cited.includes(it.id) && ![...live, ...claimedByOthers].includes(it.id))
    return others.filter(it => !inheritedIntents(facts).includes(it)).map(it => citesAnother(it.id, live))
  }
  return sorted.work.flatMap(path => writtenForAnother(path, facts, sorted))
}

function citesAnother(id: string, live: readonly string[]): Finding {
  const own = live.map(it => printable(it)).join(', ')
  const message = `the message cites ${printable(id)}, and the agent works for ${own}`
  return { rule: 'other-intent', level: 'block', path: null, message, hint: citeOwnHint(live) }
}

function writtenForAnother(path: string, facts: CommitFacts, { judge }: SortedChanges): Finding[] {
  const { cited, policy, agentsIntents } = facts
  const own = agentsIntents?.get(path) ?? []
  const scopes = policy.intents.filter(it => own.includes(it.id))
  const isOwn = own.length === 0 || own.some(it => cited.includes(it)) || intentsOwning(path, scopes, judge).length > 0
  if (isOwn || cited.length === 0 || isInherited(path, facts, judge)) return []
  const [of, by] = [own, cited].map(ids => ids.map(it => printable(it)).join(', '))
  const message = `an agent wrote ${printable(path)} while it worked for ${of}, and the message cites ${by}`
  return [{ rule: 'other-intent', level: 'block', path, message, hint: OTHER_INTENT_HINT }]
}

function citeOwnHint(live: readonly string[]): string {
  const own = live.map(it => `\`Intent-ID: ${printable(it)}\``).join(' or ')
  return `Cite ${own} alone; what is for another intent is committed by a person, or in a session that selects it.`
}

/** The hint about an agent's commit that is made already. */
export const CITES_ANOTHER_HINT = 'A person takes it over (`git commit --amend`), or takes it back (`git revert`).'

/** What is done about what an agent wrote for one intent, and a commit has for another. */
export const OTHER_INTENT_HINT = 'A person reviews whether it was meant for that intent.'
