import { type Intent, type Status, STATUSES } from './intent.ts'
import { isLegal } from './lifecycle.ts'

/** True when nothing but the progress of intents differs: each stays, or went to where legal transitions lead. */
export function onlyMoves(before: readonly Intent[], after: readonly Intent[]): boolean {
  return before.length === after.length && before.every((intent, n) => isMove(intent, after[n]))
}

function isMove(before: Intent, after: Intent | undefined): boolean {
  if (!after) return false
  const moved = { ...before, status: after.status, updated_at: after.updated_at }
  return JSON.stringify(moved) === JSON.stringify(after) && reachable(before.status).has(after.status)
}

// Several transitions may lie between two commits.
function reachable(from: Status): ReadonlySet<Status> {
  const reached = new Set([from])
  for (const at of reached) for (const to of STATUSES) if (isLegal({ from: at, to })) reached.add(to)
  return reached
}
