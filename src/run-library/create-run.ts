import { randomUUID } from 'node:crypto'
import { published, safe, safeName, type SafeText } from '../outgoing/safe-text.ts'
import { applyEvent } from '../runs/apply-event.ts'
import { safeEvent } from '../runs/safe-event.ts'
import { decide } from '../runs/decide.ts'
import type { CheckEvent, EditEvent, RunEvent, ToolEvent } from '../runs/event.ts'
import { type Limits, type Profile, profileTerms } from '../runs/limits.ts'
import { type RunCounters, runCounters } from '../runs/run-counters.ts'
import { readRunState } from '../runs/read-run-state.ts'
import { runReport } from '../runs/run-report.ts'
import { type RunDecision, type RunState, type RunTerms, startedRun } from '../runs/run-state.ts'

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
  /** What to do now. The first terminal status is final: later events change nothing. */
  decide(): RunAnswer
  /** The node to go to in place of a proposed one: another one when the run is over, or would be by this step. */
  clamp(next: string): string
  /** The report of the run as Markdown. */
  report(): string
}

/** Starts to guard a run, or resumes the one that the store has. */
export function createRun(options: RunOptions = {}): Run {
  const { profile = null, limits, goal = null, clock = Date.now, store } = options
  const { endNodes = { done: 'ticket_closer', aborted: 'snitch' } } = options
  const terms = profileTerms(profile, limits)
  const keeper = keepIn(store)
  const state = runFrom(keeper.load(), options)
  const startedAt = state.startedAt ?? clock()
  state.startedAt = startedAt
  const salt = (state.salt ??= randomUUID())
  const tell = (event: RunEvent): void => {
    const known = safeEvent(event, { salt, published: state.terms.checks })
    if (known) applyEvent(state, known)
    keeper.save(state)
  }
  const settle = (decision: RunDecision): RunAnswer => {
    const { status, rule, evidence } = decision
    if (state.end === null && status !== 'running' && status !== 'warn') {
      state.end = { status, rule: rule ?? '', evidence: evidence ?? safe``, at: clock() }
      keeper.save(state)
    }
    return { status, rule, evidence, counters: runCounters(state), problems: keeper.problems() }
  }
  return {
    step: (from, to, about = {}) => tell({ kind: 'step', from, to, ...about }),
    tool: call => tell({ kind: 'tool', ...call }),
    edit: edit => tell({ kind: 'edit', ...edit }),
    check: check => tell({ kind: 'check', ...check }),
    diagnostic: ({ kind: severity, source, message }) => tell({ kind: 'diagnostic', severity, source, message }),
    plan: ({ steps, ...plan }) =>
      tell({ kind: 'plan', steps: typeof steps === 'number' ? steps : steps.length, ...plan }),
    message: (text, from = 'agent') => tell({ kind: 'message', from, text }),
    violation: broken => tell({ kind: 'violation', ...broken }),
    ticket: ticket => tell({ kind: 'ticket', ...ticket }),
    decide: () => settle(decide(state, terms)),
    clamp(next) {
      const { status } = settle(decide(afterStep(state, safeName(next, salt)), terms))
      if (status === 'running' || status === 'warn') return next
      return status.startsWith('done') ? endNodes.done : endNodes.aborted
    },
    report: () => runReport(state, { profile, goal, startedAt, endedAt: state.end?.at ?? clock() }),
  }
}

// A resumed run is measured by what is asked of it now: a check that was added since has not passed.
function runFrom(saved: RunState | null, { checks, appetite }: RunOptions): RunState {
  const { terms } = saved ?? startedRun({ checks: [], appetite: null })
  const current = {
    checks: checks?.map(published) ?? terms.checks,
    appetite: appetite === undefined ? terms.appetite : appetite,
  }
  return saved ? { ...saved, terms: current } : startedRun(current)
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
  if (state.node === null) return state
  const next = structuredClone(state)
  applyEvent(next, { kind: 'step', from: state.node, to, reason: null, researchQuality: null })
  return next
}
