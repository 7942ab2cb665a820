import type { Policy } from './policy.ts'

/**
 * The policy in force while files are edited: that of HEAD, so that an uncommitted edit never allows more. Statuses,
 * new intents and stricter lists are those of the worktree; if HEAD has no policy, everything is.
 */
export function effectivePolicy(tree: Policy, head: Policy | null): Policy {
  if (!head) return tree
  const committed = new Map(head.intents.map(it => [it.id, it.owned_scope]))
  return {
    intents: tree.intents.map(it => ({ ...it, owned_scope: committed.get(it.id) ?? it.owned_scope })),
    governance: tightest(tree.governance, head.governance),
    forbidden: tightest(tree.forbidden, head.forbidden),
    intentignore: tightest(tree.intentignore, head.intentignore),
  }
}

// A `!` line makes an exception, so a `!` line that HEAD does not have would forbid less.
function tightest(tree: readonly string[], head: readonly string[]): string[] {
  const known = new Set(head)
  return [...head, ...tree.filter(it => !known.has(it) && !it.startsWith('!'))]
}
