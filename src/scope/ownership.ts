import { judgePath } from './judge-path.ts'
import type { Policy, PolicyIntent, PathVerdict } from './policy.ts'

/** What one intent's scope says of a path. */
export type Ownership = Pick<PolicyIntent, 'id' | 'name' | 'status'> & { readonly verdict: PathVerdict }

/** Every intent's claim to each of some paths, in the order of the registry. */
export function ownershipOf(policy: Policy, path: string): Ownership[] {
  const judge = judgePath(policy)
  return policy.intents.map(({ id, name, status, owned_scope }) => ({
    id,
    name,
    status,
    verdict: judge(owned_scope, path),
  }))
}
