import type { RunState } from './run-state.ts'

/** The counters of a run, by names that a report can print. */
export type RunCounters = {
  readonly totalSteps: number
  /** The step at which the run last got on; null when it never did. */
  readonly lastProgressAtStep: number | null
  /** How often each edge was taken since the last progress: `planner_to_researcher`. */
  readonly loopCounters: Readonly<Record<string, number>>
  readonly sameCall: number
  readonly sameError: number
  readonly editsWithoutChange: number
  readonly timeouts: number
  readonly infrastructureErrors: number
}

/** The counters of a run so far. */
export function runCounters(state: RunState): RunCounters {
  const edges = Object.entries(state.edges).map(([edge, it]) => [edge.replace(' -> ', '_to_'), it.sinceProgress])
  return {
    totalSteps: state.totalSteps,
    lastProgressAtStep: state.progress?.step ?? null,
    loopCounters: Object.fromEntries(edges) as Record<string, number>,
    sameCall: state.sameCall?.count ?? 0,
    sameError: state.sameError?.count ?? 0,
    editsWithoutChange: state.noopEdits,
    timeouts: state.timeouts,
    infrastructureErrors: state.infrastructureErrors,
  }
}
