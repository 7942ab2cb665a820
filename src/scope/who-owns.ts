import { judgePath } from './judge-path.ts'
import type { Policy, PolicyIntent, Verdict } from './policy.ts'

/** What one intent's scope says of a path. */
export type Claim = Pick<PolicyIntent, 'id' | 'name' | 'status'> & { readonly verdict: Verdict }

/** Every intent's claim to each of some paths, in the order of the registry. */
export function whoOwns(policy: Policy, path: string): Claim[] {
  const judge = judgePath(policy)
  return policy.intents.map(({ id, name, status, owned_scope }) => ({
    id,
    name,
    status,
    verdict: judge(owned_scope, path),
  }))
}
