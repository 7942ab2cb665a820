import { signatureAt } from '../io/worktree.ts'
import type { Policy } from '../scope/policy.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/**
 * The policy in force, read again only when one of its files or HEAD has changed. A registry that can't be read owns
 * nothing: the ledger goes on without it, and the hooks refuse.
 */
export function cachedPolicy(workspace: Workspace): (head: string | null) => Promise<Policy> {
  const { registry, config, intentignore, policy } = placesOf(workspace)
  let key = ''
  let cached: Policy = NOTHING
  return async head => {
    const signatures = await Promise.all([registry, config, intentignore, policy].map(signatureAt))
    const now = JSON.stringify([head, ...signatures])
    if (now !== key) cached = await loadPolicy(workspace).catch(() => NOTHING)
    key = now
    return cached
  }
}

const NOTHING: Policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
