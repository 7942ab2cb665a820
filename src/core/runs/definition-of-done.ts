import { safe, safeList, type SafeText } from '../outgoing/safe-text.ts'
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
  if (!mayBePartial || errors.some(it => CRITICAL.has(it.source))) return null
  const remains = safe`${errors.length} errors remain: ${errors.at(-1)?.source}: ${errors.at(-1)?.message}`
  return { status: 'done_partial', rule: DEFINITION_OF_DONE, evidence: safe`${evidence}. ${remains}` }
}

// A check that ran on an unknown tree counts only where no tree is known at all.
function hasPassed({ checks, tree }: RunState, id: string): boolean {
  const latest = checks.find(it => it.id === id)
  return latest?.result === 'passed' && latest.tree === tree
}

// With an error of the build or the tests nothing is done, in any profile.
const CRITICAL: ReadonlySet<string> = new Set(['build', 'test', 'tests', 'compiler', 'tsc'])

/**
 * What it means that a graph ends by itself: done as far as its checks say, and stuck while one has not passed, or when
 * it gives up.
 */
export function endOfGraph(
  run: RunState,
  { mayBePartial, isGivenUp }: Pick<ProfileTerms, 'mayBePartial'> & { readonly isGivenUp: boolean },
): RunDecision {
  const done = definitionOfDone(run, { mayBePartial })
  if (done) return done
  const evidence = whyUndone(run)
  const status = run.terms.checks.length === 0 && !isGivenUp ? 'done_partial' : 'aborted_stuck'
  return { status, rule: 'ended-by-graph', evidence }
}

function whyUndone(run: RunState): SafeText {
  const { checks } = run.terms
  if (checks.length === 0) return safe`The graph ended, and no check says that it is done`
  const open = checks.filter(id => !hasPassed(run, id))
  if (open.length === 0) return safe`The graph ended with errors: ${run.diagnostics.at(-1)?.source}`
  const left = safe`${open.length} of its ${checks.length} checks have not passed on this tree`
  return safe`The graph ended, and ${left}: ${safeList(open)}`
}

const DEFINITION_OF_DONE = 'definition-of-done'
