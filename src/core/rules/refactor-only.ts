import type { Finding } from '../base/finding.ts'
import type { ChangeClass } from '../ledger/mutation-class.ts'
import { printable, shellQuoted } from '../base/printable.ts'
import type { Rule } from './apply-rules.ts'
import { type CommitFacts, intentsOwning, type SortedChanges, workIntents } from './commit-facts.ts'
import { trailersHint } from './owners.ts'

type HeldFacts = Pick<CommitFacts, 'cited' | 'policy' | 'conflicted' | 'onlyRefactors'>

/**
 * The paths of a commit whose behaviour may not change: those that no cited intent owns, except intents that keep
 * behaviour. A merge has none: its changes are those of its commits.
 */
export function pathsKeepingBehaviour(
  { cited, policy, conflicted, onlyRefactors = false }: HeldFacts,
  { work, judge }: Pick<SortedChanges, 'work' | 'judge'>,
): readonly string[] {
  if (conflicted !== null) return []
  if (onlyRefactors) return work
  const named = policy.intents.filter(it => cited.includes(it.id))
  const keeping = named.filter(it => it.keepsBehaviour)
  const others = named.filter(it => !it.keepsBehaviour)
  if (keeping.length === 0) return []
  const isHeld = (path: string) =>
    intentsOwning(path, others, judge).length === 0 && intentsOwning(path, keeping, judge).length > 0
  return work.filter(isHeld)
}

/** What is for a refactoring changes layout, and what is proved to behave as before. A person looks at the unknown. */
export const refactorsKeepBehaviour: Rule<CommitFacts> = (facts, sorted) =>
  pathsKeepingBehaviour(facts, sorted).flatMap(path => {
    const found = facts.classes?.get(path) ?? UNKNOWN
    if (found.mutation_class === 'FORMAT' || found.mutation_class === 'AST_REFACTOR') return []
    return [refactorFinding(path, found, { facts, sorted })]
  })

const UNKNOWN: ChangeClass = { mutation_class: 'UNKNOWN', evidence: 'nothing has classified it' }

type Judged = { readonly facts: CommitFacts; readonly sorted: SortedChanges }

function refactorFinding(path: string, { mutation_class, evidence }: ChangeClass, { facts, sorted }: Judged): Finding {
  const why = `${holderOf(path, facts, sorted)} for refactorings alone`
  const isKnown = mutation_class !== 'UNKNOWN'
  return {
    rule: 'refactor-only',
    level: isKnown ? 'block' : 'review',
    path,
    message: `${printable(path)} is ${mutation_class} (${printable(evidence)}), and ${why}`,
    hint: isKnown ? wayOut(path, facts, sorted) : 'A person looks whether it behaves as before.',
  }
}

function holderOf(path: string, { onlyRefactors, policy, cited }: CommitFacts, { judge }: SortedChanges): string {
  if (onlyRefactors) return 'this range is'
  const keeping = policy.intents.filter(it => it.keepsBehaviour && cited.includes(it.id))
  return `${intentsOwning(path, keeping, judge)[0]?.id ?? cited[0]} is`
}

function wayOut(
  path: string,
  { policy, byAgent, retry, onlyRefactors }: CommitFacts,
  { judge }: SortedChanges,
): string {
  if (onlyRefactors || byAgent) return 'Leave the change of behaviour out, or have a person decide that it is wanted.'
  const others = workIntents(policy).filter(it => !it.keepsBehaviour)
  const [owner] = intentsOwning(path, others, judge)
  if (owner) return trailersHint([owner.id], retry)
  const add = `kotef intent add --name 'what it is for' --scope ${shellQuoted(path)} --commit`
  return `Add an intent for it, and commit again with its trailer: \`${add}\``
}
