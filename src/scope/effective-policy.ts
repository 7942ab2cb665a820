import type { Policy } from './policy.ts'

/**
 * The policy in force while files are edited: what HEAD says, so that an uncommitted edit never widens anything.
 * Statuses, new intents and tighter lists count as they stand in the worktree; without a governed HEAD all of it does.
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

// A `!` line makes an exception, so one that HEAD doesn't know would loosen the list.
function tightest(tree: readonly string[], head: readonly string[]): string[] {
  const known = new Set(head)
  return [...head, ...tree.filter(it => !known.has(it) && !it.startsWith('!'))]
}
