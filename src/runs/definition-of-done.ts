import { safe, safeList } from '../outgoing/safe-text.ts'
import type { ProfileTerms } from './limits.ts'
import type { RunDecision, RunState } from './run-state.ts'

/**
 * Whether a run is done: every check of its definition of done passed on the tree as it is. Without checks a run is
 * never done by itself. Null while it is not done.
 */
export function definitionOfDone(
  run: RunState,
  { mayBePartial }: Pick<ProfileTerms, 'mayBePartial'>,
): RunDecision | null {
  const { checks } = run.terms
  if (checks.length === 0 || !checks.every(id => hasPassed(run, id))) return null
  const errors = run.diagnostics.filter(it => it.severity === 'error')
  const evidence = safe`All ${checks.length} checks passed on this tree: ${safeList(checks)}`
  if (errors.length === 0) return { status: 'done_success', rule: DEFINITION_OF_DONE, evidence }
  if (!mayBePartial) return null
  const remains = safe`${errors.length} errors remain: ${errors.at(-1)?.source}: ${errors.at(-1)?.message}`
  return { status: 'done_partial', rule: DEFINITION_OF_DONE, evidence: safe`${evidence}. ${remains}` }
}

// A check that ran on an unknown tree counts only where no tree is known at all.
function hasPassed({ checks, tree }: RunState, id: string): boolean {
  const latest = checks.find(it => it.id === id)
  return latest?.result === 'passed' && latest.tree === tree
}

const DEFINITION_OF_DONE = 'definition-of-done'
