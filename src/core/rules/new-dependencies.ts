import type { Finding } from '../base/finding.ts'
import { printable } from '../base/printable.ts'
import type { PathChange } from '../git/changes.ts'
import {
  constraintWords,
  dependencyConstraint,
  type EnforcedConstraint,
} from '../intents/contract/enforced-constraints.ts'
import { isManifest } from '../intents/contract/manifests.ts'
import type { Rule } from './apply-rules.ts'
import { type CommitFacts, intentsOwning, type SortedChanges, sortChanges, takesBack } from './commit-facts.ts'
import { unstageHint } from './hints.ts'

type ConstrainedFacts = Pick<CommitFacts, 'cited' | 'policy' | 'changes' | 'onlyTransitions' | 'inherited'>

/**
 * The changed manifests of a commit to which nothing may be added by these policies, as far as they are policies. What
 * a revert gives back was there before.
 */
export function manifestsToRead(
  facts: Omit<ConstrainedFacts, 'policy'>,
  policies: readonly (CommitFacts['policy'] | null)[],
): PathChange[] {
  const added = facts.changes.filter(it => it.after !== null && isManifest(it.path))
  const manifests = added.filter(it => !takesBack(it, facts.inherited))
  if (manifests.length === 0) return []
  return manifests.filter(it =>
    policies.some(policy => {
      if (policy === null || ![policy, ...policy.intents].some(by => dependencyConstraint(by.constraints))) return false
      const judged = { ...facts, policy }
      return constraintOn(it.path, judged, sortChanges(judged)) !== null
    }),
  )
}

/** No dependency is added for an intent that wants no new one, unless another cited intent owns the manifest. */
export const noDependencyIsAdded: Rule<CommitFacts> = (facts, sorted) =>
  [...(facts.newDependencies ?? [])].flatMap(([path, names]) => {
    const constraint = constraintOn(path, facts, sorted)
    return constraint ? [dependencyFinding(path, names, constraint)] : []
  })

function constraintOn(
  path: string,
  { cited, policy }: Pick<ConstrainedFacts, 'cited' | 'policy'>,
  { judge }: Pick<SortedChanges, 'judge'>,
): EnforcedConstraint | null {
  const owners = intentsOwning(
    path,
    policy.intents.filter(it => cited.includes(it.id)),
    judge,
  )
  const constraints = owners.map(it => dependencyConstraint(it.constraints))
  return dependencyConstraint(policy.constraints) ?? (constraints.includes(null) ? null : (constraints[0] ?? null))
}

function dependencyFinding(path: string, names: readonly string[], constraint: EnforcedConstraint): Finding {
  const [first = '', ...more] = names
  const what = `${printable(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`
  return {
    rule: 'constraint-dependency',
    level: 'block',
    path,
    message: `${printable(path)} adds the dependency ${what}: ${constraintWords(constraint)}`,
    hint: `Take it out again, or ${unstageHint(path).replace(/^U/, 'u')}. Only a person changes the constraint.`,
  }
}
