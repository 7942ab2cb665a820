import { readSignature } from '../io/files/file-state.ts'
import type { Policy } from '../scope/policy.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * A function that returns the policy, read again only when one of its files or HEAD has changed. Null when the policy
 * can't be read: then writes are recorded without an owner and without violations.
 */
export function cachedPolicy(
  workspace: Workspace,
  failed: (reason: unknown) => void,
): (head: string | null) => Promise<Policy | null> {
  const { registry, config, intentignore, policy } = layoutOf(workspace)
  let key = ''
  let cached: Policy | null = null
  return async head => {
    const signatures = await Promise.all([registry, config, intentignore, policy].map(readSignature))
    const now = JSON.stringify([head, ...signatures])
    if (now !== key) cached = await loadPolicy(workspace).catch((thrown: unknown) => (failed(thrown), null))
    key = now
    return cached
  }
}
