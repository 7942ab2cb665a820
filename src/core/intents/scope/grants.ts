import type { Policy, PolicyIntent } from './policy.ts'

/** The intents that a registry has and an older one lacks, and those whose scope differs. */
export function grantedIntents(old: Policy | null, current: Policy | null): PolicyIntent[] {
  const scopes = new Map(old?.intents.map(it => [it.id, it.owned_scope.join('\n')]))
  return current?.intents.filter(it => scopes.get(it.id) !== it.owned_scope.join('\n')) ?? []
}

/**
 * A policy that allows what some intents grant as well: a new intent, a wider scope. A known intent keeps its status.
 * Where a grant is narrower, the policy of the commit's parent sees to it.
 */
export function grantedPolicy(origin: Policy, grants: readonly PolicyIntent[]): Policy {
  const added = grants.filter((it, n) => isFirst(it, n, grants) && !origin.intents.some(({ id }) => id === it.id))
  const intents = [...origin.intents, ...added]
  return { ...origin, intents: intents.map(it => withScopes(it, [it, ...grants.filter(({ id }) => id === it.id)])) }
}

/** The grants without what the policy before them allowed already: a newer one may have taken that back since. */
export function newlyGranted(grants: readonly PolicyIntent[], origin: Policy, newer: Policy): PolicyIntent[] {
  return grants.map(it => {
    const [old, present] = [origin, newer].map(policy => policy.intents.find(({ id }) => id === it.id)?.owned_scope)
    const added = it.owned_scope.filter(pattern => old?.includes(pattern) !== true)
    return { ...it, owned_scope: [...added, ...(present ?? []).filter(pattern => pattern.startsWith('!'))] }
  })
}

function isFirst({ id }: PolicyIntent, n: number, all: readonly PolicyIntent[]): boolean {
  return all.findIndex(it => it.id === id) === n
}

// A pattern that excludes paths counts only when no version allows these paths.
function withScopes(intent: PolicyIntent, versions: readonly PolicyIntent[]): PolicyIntent {
  const all = [...new Set(versions.flatMap(it => it.owned_scope))]
  const owned_scope = all.filter(
    pattern => !pattern.startsWith('!') || versions.every(it => it.owned_scope.includes(pattern)),
  )
  return { ...intent, owned_scope }
}
