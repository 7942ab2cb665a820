import { isFinalStatus } from '../../core/intents/lifecycle.ts'
import { isRegistryPath } from '../../core/base/governance-files.ts'
import type { InheritedWork } from '../../core/rules/commit-facts.ts'
import { grantedIntents, grantedPolicy } from '../../core/intents/scope/grants.ts'
import type { Policy, PolicyIntent } from '../../core/intents/scope/policy.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import type { BasePolicy, PolicyLookup } from './base-policy.ts'

type PolicySources = {
  readonly policy: Policy | null
  readonly base: BasePolicy | null
  readonly inherited: readonly InheritedWork[]
}

/** The policy of each commit, and the ids that intents got later in the same range, each with the one before. */
type IntentSources = { readonly policyAt: PolicyLookup; readonly renumbered: ReadonlyMap<string, string> }

/**
 * Adds to a policy the intents that a commit has besides it. A squash brings the intents of its governance commits
 * along. A commit that was picked from another branch has its intent there: it covers the paths of the original. A
 * commit from before its intent got another id cites that id, by `kotef intent renumber`.
 */
export async function ownIntents(
  { oid, governance, cited, parents }: Commit,
  { policy, base, inherited }: PolicySources,
  { policyAt, renumbered }: IntentSources,
): Promise<(policy: Policy) => Policy> {
  const isStrict = base?.config.verify.governance === 'strict'
  const isSquash = governance !== null && cited.length > 0 && parents.length === 1 && !isStrict
  const granted = isSquash ? squashedIntents(policy, await policyAt(oid)) : []
  const known = [...(policy?.intents ?? []), ...granted].map(it => it.id)
  const lent = await lentIntents(inherited, known, policyAt)
  for (const id of cited.filter(it => !known.includes(it))) {
    const before = policy?.intents.find(it => it.id === renumbered.get(id))
    if (before) lent.push({ ...before, id })
  }
  if (granted.length + lent.length === 0) return it => it
  return it => withLentIntents(grantedPolicy(it, granted), lent)
}

/**
 * The intents of the commits that a commit is made from, as far as its own registry does not have them. They cover only
 * what they are lent for, as a closed intent does.
 */
export async function lentIntents(
  inherited: readonly Pick<InheritedWork, 'intents' | 'parent'>[],
  known: readonly string[],
  policyAt: PolicyLookup,
): Promise<PolicyIntent[]> {
  const lent: PolicyIntent[] = []
  for (const { intents, parent } of inherited) {
    const missing = intents.filter(it => !known.includes(it) && !lent.some(({ id }) => id === it))
    const there = missing.length > 0 && parent !== null ? await policyAt(parent) : null
    for (const it of there?.intents ?? []) if (missing.includes(it.id)) lent.push({ ...it, status: 'COMPLETED' })
  }
  return lent
}

// Its work and its end can be in one squash; before it ended, it was open.
function squashedIntents(policy: Policy | null, current: Policy | null): PolicyIntent[] {
  const isNew = ({ id }: PolicyIntent): boolean => policy?.intents.some(it => it.id === id) !== true
  return grantedIntents(policy, current).map(it =>
    isNew(it) && isFinalStatus(it.status) ? { ...it, status: 'PENDING' } : it,
  )
}

function withLentIntents(policy: Policy, lent: readonly PolicyIntent[]): Policy {
  const missing = lent.filter(it => !policy.intents.some(({ id }) => id === it.id))
  return { ...policy, intents: [...policy.intents, ...missing] }
}

/** The ids that the governance commits among some gave to intents, each with the id that the intent had before. */
export async function renumberedIds(commits: readonly Commit[], policyAt: PolicyLookup): Promise<Map<string, string>> {
  const renumbered = new Map<string, string>()
  for (const { oid, parents, governance, changes } of commits) {
    if (parents.length !== 1 || governance === null || !changes.some(it => isRegistryPath(it.path))) continue
    const old = await policyAt(parents[0] ?? '')
    const current = await policyAt(oid)
    for (const [id, before] of renumberedBetween(old?.intents ?? [], current?.intents ?? [])) renumbered.set(id, before)
  }
  return renumbered
}

// The same intent, but for its id.
function renumberedBetween(old: readonly PolicyIntent[], current: readonly PolicyIntent[]): [string, string][] {
  const isIn = (all: readonly PolicyIntent[], id: string) => all.some(it => it.id === id)
  const gone = old.filter(it => !isIn(current, it.id))
  return current.flatMap(it => {
    const before = gone.find(other => textAs(it.id, other) === textAs(it.id, it))
    return before && !isIn(old, it.id) ? [[it.id, before.id]] : []
  })
}

function textAs(id: string, intent: PolicyIntent): string {
  return JSON.stringify({ ...intent, id, constraints: intent.constraints?.map(it => ({ ...it, by: id })) })
}
