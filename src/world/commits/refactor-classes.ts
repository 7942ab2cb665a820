import type { ChangeClassifier } from '../code/meaning/change-classes.ts'
import { type CommitFacts, sortChanges } from '../../core/rules/commit-facts.ts'
import { pathsKeepingBehaviour } from '../../core/rules/refactor-only.ts'
import type { Policy } from '../../core/intents/scope/policy.ts'

type UnclassifiedFacts = Pick<CommitFacts, 'changes' | 'cited' | 'conflicted' | 'onlyTransitions' | 'onlyRefactors'>

/** The classes of a commit's changes whose behaviour some of these policies keep; nothing when there are none. */
export async function refactorClasses(
  facts: UnclassifiedFacts,
  policies: readonly (Policy | null)[],
  classifier: ChangeClassifier,
): Promise<Pick<CommitFacts, 'classes'>> {
  const held = new Set(policies.flatMap(policy => (policy ? heldUnder(policy, facts) : [])))
  if (held.size === 0) return {}
  return { classes: await classifier.classesOf(facts.changes.filter(it => held.has(it.path))) }
}

function heldUnder(policy: Policy, facts: UnclassifiedFacts): readonly string[] {
  const isFree = !facts.onlyRefactors && !policy.intents.some(it => it.keepsBehaviour)
  return isFree ? [] : pathsKeepingBehaviour({ ...facts, policy }, sortChanges({ ...facts, policy }))
}
