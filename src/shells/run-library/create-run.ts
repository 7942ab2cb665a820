import { randomUUID } from 'node:crypto'
import { published, safe, safeName, type SafeText } from '../../core/outgoing/safe-text.ts'
import { applyEvent } from '../../core/runs/apply-event.ts'
import { safeEvent } from '../../core/runs/safe-event.ts'
import { decide } from '../../core/runs/decide.ts'
import type { CheckEvent, EditEvent, ToolEvent } from '../../core/runs/event.ts'
import { endOfGraph } from '../../core/runs/definition-of-done.ts'
import { type Limits, type Profile, profileTerms, RECURSION_LIMIT, withinRecursion } from '../../core/runs/limits.ts'
import { textOf } from '../../core/runs/call-key.ts'
import { type LooseKind, takenEvent } from '../../core/runs/loose-event.ts'
import { runOptionProblems } from '../../core/runs/run-options.ts'
import { type RunCounters, runCounters } from '../../core/runs/run-counters.ts'
import { readRunState } from '../../core/runs/read-run-state.ts'
import { runReport } from '../../core/runs/run-report.ts'
import {
  isStopped,
  type RunDecision,
  type RunState,
  type RunTerms,
  startedRun,
  type TerminalStatus,
} from '../../core/runs/run-state.ts'

/** Where a run is kept, when it has to survive its process. */
export type RunStore = {
  /** The state that was saved last; null at the start of a run. */
  load(): RunState | null
  save(state: RunState): void
}

/** What a run is measured by, and what it may use. Everything has a default. */
export type RunOptions = Partial<Pick<RunTerms, 'appetite'>> & {
  /** The ids of the checks that are the definition of done. Without one, nothing is ever done by itself. */
  readonly checks?: readonly string[]
  readonly profile?: Profile
  /** Limits in place of those of the profile; 0 switches a rule off. */
  readonly limits?: Partial<Limits>
  /**
   * The nodes that the graph may execute: what it is invoked with, 25 without, as LangGraph has it. The run ends before
   * that. 0 for a graph without such a limit.
   */
  readonly recursionLimit?: number
  /** What the run is for, in the report. */
  readonly goal?: string
  /** The time in milliseconds since 1970. */
  readonly clock?: () => number
  /** Without a store nothing is written anywhere. */
  readonly store?: RunStore
  /** The nodes to which `clamp` leads a run that is over. */
  readonly endNodes?: { readonly done: string; readonly aborted: string }
}

/** A decision about a run, with its counters, and what was wrong with its store. */
export type RunAnswer = RunDecision & { readonly counters: RunCounters; readonly problems: readonly string[] }

/** A run of any graph or agent: it gets the events, and says when to stop. */
export type Run = {
  step(from: string, to: string, about?: { readonly reason?: string; readonly researchQuality?: number }): void
  tool(call: Omit<ToolEvent, 'kind'>): void
  edit(edit: Omit<EditEvent, 'kind'>): void
  check(check: Omit<CheckEvent, 'kind'>): void
  diagnostic(found: { readonly kind: 'error' | 'warning'; readonly source: string; readonly message: string }): void
  plan(plan: { readonly steps: readonly string[] | number; readonly next: string; readonly reason: string }): void
  /** A person's message begins all attempts again; an agent's is counted. */
  message(text: string, from?: 'person' | 'agent'): void
  violation(broken: { readonly rule: string; readonly isHard: boolean; readonly detail: string }): void
  ticket(ticket: { readonly id: string; readonly state: 'open' | 'closed' }): void
  /** The graph has ended, or is about to: the run ends as done, as done in part or as stuck, by its checks. */
  end(): RunAnswer
  /** What to do now. The first terminal status is final: later events change nothing. */
  decide(): RunAnswer
  /** The node to go to in place of a proposed one: another one when the run is over, or would be by this step. */
  clamp(next: string): string
  /** The report of the run as Markdown. */
  report(): string
}

/**
 * Starts to guard a run, or resumes the one that the store has. Throws a TypeError for options that it does not know:
 * afterwards it never throws, whatever is reported to it.
 */
export function createRun(options: RunOptions = {}): Run {
  const problems = runOptionProblems(options)
  if (problems.length > 0) throw new TypeError(`createRun: ${problems.join('; ')}`)
  const guard = guardOf(options)
  const { state, terms, clock, startedAt } = guard
  const { profile = null, goal = null } = options
  const note = (kind: LooseKind, given: unknown): void => noteEvent(guard, kind, given)
  return {
    step: (from, to, about) => note('step', { ...about, from, to }),
    tool: call => note('tool', call),
    edit: edit => note('edit', edit),
    check: check => note('check', check),
    diagnostic: found => note('diagnostic', { ...found, severity: found?.kind }),
    plan: plan => note('plan', plan),
    message: (text, from) => note('message', { text, from }),
    violation: broken => note('violation', broken),
    ticket: ticket => note('ticket', ticket),
    decide: () => settle(guard, decide(state, terms)),
    end: () => settle(guard, endOf(guard, { isGivenUp: false })),
    clamp: next => clamped(guard, next),
    report: () => runReport(state, { profile, goal, startedAt, endedAt: state.end?.at ?? clock() }),
  }
}

type Guard = ReturnType<typeof guardOf>

function guardOf(options: RunOptions) {
  const { profile = null, limits: named = {}, clock = Date.now, store, recursionLimit = RECURSION_LIMIT } = options
  const { endNodes = { done: 'ticket_closer', aborted: 'snitch' } } = options
  const terms = withinRecursion(profileTerms(profile, named), { recursionLimit, named })
  const keeper = keepIn(store)
  const state = runFrom(keeper.load(), options)
  const startedAt = state.startedAt ?? clock()
  state.startedAt = startedAt
  const salt = (state.salt ??= randomUUID())
  return { state, terms, keeper, clock, startedAt, salt, endNodes, problems: new Set<string>() }
}

function noteEvent({ state, keeper, salt, problems }: Guard, kind: LooseKind, given: unknown): void {
  const taken = takenEvent(kind, given)
  for (const it of taken.problems) problems.add(it)
  const event = safeEvent(taken.event, { salt, published: state.terms.checks })
  if (event) applyEvent(state, event)
  keeper.save(state)
}

function settle({ state, keeper, clock, problems }: Guard, decision: RunDecision): RunAnswer {
  const { status, rule, evidence } = decision
  if (state.end === null && isTerminal(status)) {
    state.end = { status, rule: rule ?? '', evidence: evidence ?? safe``, at: clock() }
    keeper.save(state)
  }
  const { loopCounters, ...counted } = runCounters(state)
  const counters = { ...counted, loopCounters: { ...UNTAKEN, ...loopCounters } }
  return { status, rule, evidence, counters, problems: [...keeper.problems(), ...problems] }
}

function endOf({ state, terms }: Guard, { isGivenUp }: { readonly isGivenUp: boolean }): RunDecision {
  const decision = decide(state, terms)
  return isTerminal(decision.status) ? decision : endOfGraph(state, { ...terms, isGivenUp })
}

function clamped(guard: Guard, next: string): string {
  const { state, terms, endNodes, salt } = guard
  const isGivenUp = next === endNodes.aborted
  const ends = isGivenUp || next === endNodes.done || next === GRAPH_END
  settle(guard, ends ? endOf(guard, { isGivenUp }) : decide(afterStep(state, safeName(textOf(next), salt)), terms))
  if (state.end === null) return next
  if (isStopped(state.end)) return endNodes.aborted
  return next === GRAPH_END ? next : endNodes.done
}

// LangGraph's name of its end.
const GRAPH_END = '__end__'

// A planner compares these before they were ever taken.
const UNTAKEN = { planner_to_researcher: 0, planner_to_verifier: 0, planner_to_coder: 0 }

const isTerminal = (status: RunDecision['status']): status is TerminalStatus =>
  status !== 'running' && status !== 'warn'

// A resumed run is measured by what is asked of it now: a check that was added since has not passed. Its graph may
// execute as many nodes again.
function runFrom(saved: RunState | null, { checks, appetite }: RunOptions): RunState {
  const { terms } = saved ?? startedRun({ checks: [], appetite: null })
  const current = {
    checks: checks?.map(published) ?? terms.checks,
    appetite: appetite === undefined ? terms.appetite : appetite,
  }
  return saved ? { ...saved, terms: current, superSteps: 0 } : startedRun(current)
}

/**
 * Keeps a run in a store that may fail. A damaged state is not believed: all attempts begin again, and nothing is done
 * by it. Where the store can't be used, the run goes on without it. Both are reported, and nothing throws.
 */
function keepIn(store: RunStore | undefined) {
  const found = { loading: null as string | null, saving: null as string | null }
  return {
    load(): RunState | null {
      try {
        const saved: unknown = store?.load() ?? null
        if (saved === null) return null
        const reading = readRunState(saved)
        if ('state' in reading) return structuredClone(reading.state)
        found.loading = `The saved run was not used: ${reading.problem}.`
      } catch (thrown) {
        found.loading = `The saved run can't be read: ${String(thrown)}`
      }
      return null
    },
    save(state: RunState): void {
      try {
        store?.save(state)
        found.saving = null
      } catch (thrown) {
        found.saving = `The run can't be saved: ${String(thrown)}`
      }
    },
    problems: (): string[] => [found.loading, found.saving].filter(it => it !== null),
  }
}

function afterStep(state: RunState, to: SafeText): RunState {
  const from = nodeThatDecides(state)
  if (from === null) return state
  const next = structuredClone(state)
  applyEvent(next, { kind: 'step', from, to, reason: null, researchQuality: null })
  return next
}

// The node to which the last step went, or the one that sent it there, where the nodes between report no steps.
function nodeThatDecides({ node, edges }: RunState): SafeText | null {
  if (node === null) return null
  const known = Object.values(edges)
  const reports = known.some(it => it.from === node)
  return reports ? node : (known.find(it => it.to === node)?.from ?? node)
}
