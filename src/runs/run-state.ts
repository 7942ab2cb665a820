import type { CheckResult, ToolEvent } from './event.ts'

/** How a run ended: written once, the first wins. */
export type TerminalStatus = 'done_success' | 'done_partial' | 'aborted_stuck' | 'aborted_constraint'

export type RunEnd = {
  readonly status: TerminalStatus
  readonly rule: string
  readonly evidence: string
  /** In milliseconds since 1970. */
  readonly at: number
}

/** True for the end of a run that was stopped, and is not done. */
export function isStopped(end: RunEnd | null): boolean {
  return end !== null && end.status.startsWith('aborted')
}

/** What to do with a run: go on, go on with a warning, or end. */
export type RunDecision = {
  readonly status: 'running' | 'warn' | TerminalStatus
  /** The rule that decided, and what it saw; null while the run may go on. */
  readonly rule: string | null
  readonly evidence: string | null
}

/** What a run is measured by. */
export type RunTerms = {
  /** The ids of the checks that are the definition of done. Without one, nothing is ever done by itself. */
  readonly checks: readonly string[]
  readonly appetite: 'Small' | 'Batch' | 'Big' | null
}

/** One edge of the graph: how often it was taken, in all and since the last progress, with the last reasons. */
export type EdgeCount = { taken: number; sinceProgress: number; reasons: string[] }

/** A call or check, with its result and the tree: equal texts mean equal calls. */
export type Call = { readonly key: string; readonly result: string; readonly tree: string | null }

/** A command that fails: with which error, since when it is the same one, and on which trees. */
export type Failure = { signature: string; count: number; trees: string[] }

/** The latest result of a check. */
export type LatestCheck = {
  readonly id: string
  readonly command: string
  readonly result: CheckResult
  readonly tree: string | null
  readonly signature: string | null
}

/**
 * A run, as far as the rules need it: what its events add up to. JSON, of bounded size. Only `applyEvent` changes it.
 */
export type RunState = {
  readonly version: 1
  readonly terms: RunTerms
  totalSteps: number
  node: string | null
  edges: Record<string, EdgeCount>
  progress: { readonly step: number; readonly what: string } | null
  tree: string | null
  /** Trees and contents of files, the latest last. */
  seen: string[]
  /** The calls of a batch that is not over. */
  batch: ToolEvent[]
  /** The latest calls, polls left out. */
  calls: Call[]
  sameCall: (Call & { readonly isPoll: boolean; readonly count: number }) | null
  sameError: (Call & { readonly count: number }) | null
  failures: Record<string, Failure>
  /** How often each tree was reached with each failure, and the latest such pair. */
  returns: Record<string, number>
  lastReturn: string | null
  noopEdits: number
  timeouts: number
  infrastructureErrors: number
  sameMessage: { readonly text: string; readonly count: number } | null
  hardViolation: string | null
  softViolations: { readonly rule: string; readonly count: number; readonly detail: string }[]
  checks: LatestCheck[]
  diagnostics: { readonly severity: 'error' | 'warning'; readonly source: string; readonly message: string }[]
  researchQuality: number | null
  plan: { readonly steps: number; readonly next: string; readonly reason: string } | null
  spent: { command: number; test: number; install: number }
  /** The counters that the latest event moved: a warning is given once, when its counter moves. */
  moved: string[]
  /** The latest moments at which the run got on. */
  timeline: { readonly step: number; readonly what: string }[]
  /** In milliseconds since 1970; null until a program with a clock says it. */
  startedAt: number | null
  end: RunEnd | null
}

/** The state of a run in which nothing has happened. */
export function startedRun(terms: RunTerms): RunState {
  return {
    ...{ version: 1, terms, totalSteps: 0, node: null, progress: null, tree: null, seen: [], batch: [], moved: [] },
    ...freshCounters(),
    ...{
      hardViolation: null,
      checks: [],
      diagnostics: [],
      researchQuality: null,
      plan: null,
      end: null,
      timeline: [],
      startedAt: null,
    },
    spent: { command: 0, test: 0, install: 0 },
  }
}

/** The counters as they are after a person's message or with a new intent: all attempts begin again. */
export function freshCounters() {
  return {
    ...{ edges: {}, calls: [], sameCall: null, sameError: null, failures: {}, returns: {}, lastReturn: null },
    ...{ noopEdits: 0, timeouts: 0, infrastructureErrors: 0, sameMessage: null, softViolations: [] },
  }
}
