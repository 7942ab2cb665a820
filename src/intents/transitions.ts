import { type Intent, type IntentStatus, INTENT_STATUSES } from './intent.ts'
import { isLegalTransition } from './lifecycle.ts'

/** True when two registries differ only in statuses, and each new status is reachable by legal transitions. */
export function differOnlyByTransitions(before: readonly Intent[], after: readonly Intent[]): boolean {
  return before.length === after.length && before.every((intent, n) => isTransition(intent, after[n]))
}

function isTransition(before: Intent, after: Intent | undefined): boolean {
  if (!after) return false
  const moved = { ...before, status: after.status, updated_at: after.updated_at }
  return JSON.stringify(moved) === JSON.stringify(after) && reachableStatuses(before.status).has(after.status)
}

// Several transitions may lie between two commits.
function reachableStatuses(from: IntentStatus): ReadonlySet<IntentStatus> {
  const reached = new Set([from])
  for (const at of reached) for (const to of INTENT_STATUSES) if (isLegalTransition({ from: at, to })) reached.add(to)
  return reached
}
