import { safe, safeList, type SafeText } from '../outgoing/safe-text.ts'
import { endBatch, isOfCheck } from './apply-event.ts'
import { definitionOfDone } from './definition-of-done.ts'
import { cycleIn } from './cycles.ts'
import { type Limits, type ProfileTerms, reaches } from './limits.ts'
import type { RunDecision, RunState, TerminalStatus } from './run-state.ts'

/** Decides about a run. A warning is given once: when its counter moves. Does not change the state. */
export function decide(state: RunState, terms: ProfileTerms): RunDecision {
  if (state.end) return state.end
  const run = state.batch.length === 0 ? state : structuredClone(state)
  endBatch(run)
  return endOf(run, terms) ?? warningOf(run, terms) ?? RUNNING
}

const HARD_CONSTRAINT = 'hard-constraint'
const RUNNING: RunDecision = { status: 'running', rule: null, evidence: null }

// A green definition of done beats every counter; a hard constraint beats even that.
function endOf(run: RunState, terms: ProfileTerms): RunDecision | null {
  const hard = run.hardViolation
  if (hard !== null) return { status: 'aborted_constraint', rule: HARD_CONSTRAINT, evidence: hard }
  return definitionOfDone(run, terms) ?? rowsAt(run, { limits: terms.limits, at: 'stop' })
}

function warningOf(run: RunState, { limits }: ProfileTerms): RunDecision | null {
  return rowsAt(run, { limits, at: 'warn' })
}

function rowsAt(
  run: RunState,
  { limits, at }: { readonly limits: Limits; readonly at: 'stop' | 'warn' },
): RunDecision | null {
  for (const { name: rule, moves, status = 'aborted_stuck', ...row } of ROWS) {
    if (at === 'warn' && !run.moved.includes(moves)) continue
    const { count, limit } = row[at]?.(run, limits) ?? { count: 0, limit: 0 }
    if (reaches(count, limit))
      return { status: at === 'stop' ? status : 'warn', rule, evidence: row.evidence(run, count) }
  }
  return null
}

type Counted = { readonly count: number; readonly limit: number }
type Count = (run: RunState, limits: Limits) => Counted

type Row = {
  readonly name: string
  /** The counter in `moved` that this row reads. */
  readonly moves: string
  readonly status?: TerminalStatus
  readonly stop?: Count
  readonly warn?: Count
  readonly evidence: (run: RunState, count: number) => SafeText
}

const times = (count: number): SafeText => (count === 1 ? safe`once` : safe`${count} times`)

/** The rules that end a run or warn of its end, in the order in which they are asked. */
const ROWS: readonly Row[] = [
  {
    name: 'soft-constraint',
    moves: 'violation',
    status: 'aborted_constraint',
    stop: (run, { softViolationsStop: limit }) => ({ count: worstViolation(run)?.count ?? 0, limit }),
    evidence: (run, count) =>
      safe`${worstViolation(run)?.rule} was broken ${times(count)}: ${worstViolation(run)?.detail}`,
  },
  {
    name: 'same-error',
    moves: 'call',
    stop: (run, { sameErrorStop: limit }) => ({ count: run.sameError?.count ?? 0, limit }),
    warn: (run, { sameErrorWarn: limit }) => ({ count: run.sameError?.count ?? 0, limit }),
    evidence: (run, count) =>
      safe`${run.sameError?.what} failed ${times(count)} with the same error, and nothing was changed`,
  },
  {
    name: 'same-call',
    moves: 'call',
    stop: (run, limits) => sameCall(run, limits.sameCallStop, limits.samePollStop),
    warn: (run, limits) => sameCall(run, limits.sameCallWarn, 0),
    evidence: (run, count) => safe`${run.sameCall?.what} was called ${times(count)} with the same result`,
  },
  {
    name: 'cycle',
    moves: 'call',
    stop: (run, { cycleStop: limit }) => ({ count: cycleIn(run.calls, limit) === null ? 0 : limit, limit }),
    evidence: (run, count) =>
      safe`The same calls were repeated ${times(count)}: ${safeList(cycleIn(run.calls, count) ?? [])}`,
  },
  sameFailure({ ofCheck: true, stop: 'sameFailureStop' }),
  sameFailure({ ofCheck: false, stop: 'sameCommandFailureStop' }),
  {
    name: 'same-tree-again',
    moves: 'return',
    stop: (run, { returnsStop: limit }) => ({ count: Math.max(0, ...Object.values(run.returns)), limit }),
    evidence: (_, count) => safe`The same tree was reached ${times(count)} with the same failure`,
  },
  {
    name: 'edits-without-change',
    moves: 'noop-edit',
    stop: (run, { noopEditsStop: limit }) => ({ count: run.noopEdits, limit }),
    evidence: (_, count) => safe`${count} edits in a row changed nothing`,
  },
  {
    name: 'edge-without-progress',
    moves: 'edge',
    stop: (run, { edgeStop: limit }) => ({ count: worstEdge(run)?.sinceProgress ?? 0, limit }),
    evidence: (run, count) => safe`${worstEdge(run)?.name} was taken ${times(count)} without progress`,
  },
  {
    name: 'steps-without-progress',
    moves: 'edge',
    stop: (run, { idleStepsStop: limit }) => ({ count: run.idleSteps, limit }),
    evidence: (_, count) => safe`${count} steps of the graph were taken without progress`,
  },
  {
    name: 'super-steps',
    moves: 'edge',
    stop: (run, { superStepsStop: limit }) => ({ count: run.superSteps, limit }),
    evidence: (_, count) =>
      safe`${count} nodes of the graph, and the rest of its limit is for its end (\`recursionLimit\` of createRun)`,
  },
  {
    name: 'timeouts',
    moves: 'timeout',
    stop: (run, { timeoutsStop: limit }) => ({ count: run.timeouts, limit }),
    evidence: (_, count) => safe`${count} commands in a row ran into their time limit`,
  },
  {
    name: 'same-message',
    moves: 'message',
    stop: (run, { sameMessageStop: limit }) => ({ count: run.sameMessage?.count ?? 0, limit }),
    evidence: (_, count) => safe`The agent said the same ${times(count)} and did nothing in between`,
  },
  {
    name: 'steps',
    moves: 'edge',
    stop: (run, { stepsStop: limit }) => ({ count: run.totalSteps, limit }),
    evidence: (_, count) => safe`${count} steps were taken`,
  },
  budget(safe`commands`, run => run.spent.command + run.spent.test + run.spent.install, 'commandsStop'),
  budget(safe`tests`, run => run.spent.test, 'testsStop'),
  budget(safe`installs`, run => run.spent.install, 'installsStop'),
  {
    name: 'infrastructure',
    moves: 'infrastructure',
    warn: (run, { infrastructurePause: limit }) => ({ count: run.infrastructureErrors, limit }),
    evidence: (_, count) =>
      safe`${count} calls in a row failed for the network, the provider or the disk: wait, or ask a person`,
  },
  {
    name: 'plan-too-broad',
    moves: 'plan',
    warn: (run, { planStepsWarn }) => ({
      count: run.plan?.steps ?? 0,
      limit: run.terms.appetite === 'Small' && planStepsWarn > 0 ? planStepsWarn + 1 : 0,
    }),
    evidence: (_, count) => safe`The plan has ${count} steps, and the intent is small`,
  },
]

function budget(what: SafeText, spent: (run: RunState) => number, limit: keyof Limits): Row {
  return {
    name: `budget-of-${what}`,
    moves: 'call',
    stop: (run, limits) => ({ count: spent(run), limit: limits[limit] }),
    evidence: (_, count) => safe`${count} ${what} were run, which is all that the profile allows`,
  }
}

function sameFailure({ ofCheck, stop }: { readonly ofCheck: boolean; readonly stop: keyof Limits }): Row {
  const counted = (run: RunState): number => worstFailure(run, ofCheck)?.count ?? 0
  return {
    name: 'same-failure',
    moves: 'failure',
    stop: (run, limits) => ({ count: counted(run), limit: limits[stop] }),
    warn: (run, { sameFailureWarn: limit }) => ({ count: counted(run), limit }),
    evidence: (run, count) =>
      safe`${worstFailure(run, ofCheck)?.what} failed with the same error on ${count} different trees`,
  }
}

function sameCall({ sameCall }: RunState, call: number, poll: number): Counted {
  return { count: sameCall?.count ?? 0, limit: sameCall?.isPoll ? poll : call }
}

function worstViolation({ softViolations }: RunState) {
  return greatest(softViolations, it => it.count)
}

function worstFailure({ failures }: RunState, ofCheck: boolean) {
  const all = Object.entries(failures).map(([key, it]) => ({ key, ...it }))
  return greatest(
    all.filter(it => isOfCheck(it.key) === ofCheck),
    it => it.count,
  )
}

function worstEdge({ edges }: RunState) {
  return greatest(Object.values(edges), it => it.sinceProgress)
}

function greatest<T>(all: readonly T[], size: (it: T) => number): T | null {
  return all.reduce<T | null>((best, it) => (best === null || size(it) > size(best) ? it : best), null)
}
