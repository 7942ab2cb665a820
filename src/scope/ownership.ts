import { judgePath } from './judge-path.ts'
import type { Policy, PolicyIntent, PathVerdict } from './policy.ts'

/** An intent with the verdict of its scope about a path. */
export type Ownership = Pick<PolicyIntent, 'id' | 'name' | 'status'> & { readonly verdict: PathVerdict }

/** The verdict of every intent about a path, in the order of the registry. */
export function ownershipOf(policy: Policy, path: string): Ownership[] {
  const judge = judgePath(policy)
  return policy.intents.map(({ id, name, status, owned_scope }) => ({
    id,
    name,
    status,
    verdict: judge(owned_scope, path),
  }))
}
