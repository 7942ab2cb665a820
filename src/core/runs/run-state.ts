import type { SafeText } from '../outgoing/safe-text.ts'
import type { CheckResult } from './event.ts'
import type { SafeTool } from './safe-event.ts'

/** How a run ended: written once, the first wins. */
export type TerminalStatus = 'done_success' | 'done_partial' | 'aborted_stuck' | 'aborted_constraint'

export type RunEnd = {
  readonly status: TerminalStatus
  readonly rule: string
  readonly evidence: SafeText
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
  readonly evidence: SafeText | null
}

/** What a run is measured by. */
export type RunTerms = {
  /** The ids of the checks that are the definition of done. Without one, nothing is ever done by itself. */
  readonly checks: readonly SafeText[]
  readonly appetite: 'Small' | 'Batch' | 'Big' | null
}

/** One edge of the graph: how often it was taken, in all and since the last progress, with the last reasons. */
export type EdgeCount = {
  readonly name: SafeText
  readonly from: SafeText
  readonly to: SafeText
  taken: number
  sinceProgress: number
  reasons: SafeText[]
}

/** A call or check, with its result and the tree: equal keys and results mean equal calls. The others are in words. */
export type Call = {
  readonly key: SafeText
  readonly what: SafeText
  readonly ended: SafeText
  readonly result: SafeText
  readonly tree: string | null
}

/** A command that fails: with which error, since when it is the same one, and on which trees. */
export type Failure = { signature: SafeText; what: SafeText; count: number; trees: string[] }

/** The latest result of a check. */
export type LatestCheck = {
  readonly id: SafeText
  /** The command in words. */
  readonly command: SafeText
  readonly result: CheckResult
  readonly tree: string | null
  readonly signature: SafeText | null
}

/**
 * A run, as far as the rules need it: what its events add up to. JSON, of bounded size, without any text of a call, an
 * output or an agent. Only `applyEvent` changes it.
 */
export type RunState = {
  readonly version: 2
  readonly terms: RunTerms
  totalSteps: number
  /** The nodes that a graph has executed since its start or a person's message, with the one that is next. */
  superSteps: number
  /** The same since the last progress. */
  idleSteps: number
  /** The nodes that must have run since the last step, by what was reported: one edits and another one checks. */
  unreportedNodes: number
  node: SafeText | null
  edges: Record<string, EdgeCount>
  progress: { readonly step: number; readonly what: SafeText } | null
  tree: string | null
  /** Trees and contents of files, the latest last. */
  seen: string[]
  /** The calls of a batch that is not over. */
  batch: SafeTool[]
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
  sameMessage: { readonly text: SafeText; readonly count: number } | null
  hardViolation: SafeText | null
  softViolations: { readonly rule: SafeText; readonly count: number; readonly detail: SafeText }[]
  checks: LatestCheck[]
  /** The last run of tests or of a check, in words. */
  lastTest: { readonly what: SafeText; readonly ended: SafeText } | null
  diagnostics: { readonly severity: 'error' | 'warning'; readonly source: SafeText; readonly message: SafeText }[]
  researchQuality: number | null
  plan: { readonly steps: number } | null
  spent: { command: number; test: number; install: number }
  /** The counters that the latest event moved: a warning is given once, when its counter moves. */
  moved: string[]
  /** The latest moments at which the run got on. */
  timeline: { readonly step: number; readonly what: SafeText }[]
  /** Of the fingerprints, where no file of the clone has it. */
  salt?: string
  /** In milliseconds since 1970; null until a program with a clock says it. */
  startedAt: number | null
  end: RunEnd | null
}

/** The state of a run in which nothing has happened. */
export function startedRun(terms: RunTerms): RunState {
  return {
    version: 2,
    terms,
    totalSteps: 0,
    node: null,
    progress: null,
    tree: null,
    seen: [],
    batch: [],
    moved: [],
    ...freshCounters(),
    hardViolation: null,
    checks: [],
    lastTest: null,
    diagnostics: [],
    researchQuality: null,
    plan: null,
    end: null,
    timeline: [],
    startedAt: null,
    spent: { command: 0, test: 0, install: 0 },
  }
}

/** The counters as they are after a person's message or with a new intent: all attempts begin again. */
export function freshCounters() {
  return {
    superSteps: 0,
    idleSteps: 0,
    unreportedNodes: 0,
    edges: {},
    calls: [],
    sameCall: null,
    sameError: null,
    failures: {},
    returns: {},
    lastReturn: null,
    noopEdits: 0,
    timeouts: 0,
    infrastructureErrors: 0,
    sameMessage: null,
    softViolations: [],
  }
}
