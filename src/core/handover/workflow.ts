/** The states of a session. */
export const WORKFLOW_STATES = [
  ...(['INTAKE', 'INTAKE_LEAN', 'DESIGN', 'APPROVE_DESIGN', 'PLAN', 'REVIEW_STRATEGY', 'IMPLEMENT_LOOP'] as const),
  ...(['INTEGRATE', 'RELEASE', 'DONE', 'ASK_USER', 'FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY', 'FIX_BUILD'] as const),
  'BLOCKED',
] as const

export type WorkflowState = (typeof WORKFLOW_STATES)[number]

/** A state on the way from the first to the last; `ASK_USER` and `BLOCKED` interrupt it, and return to it. */
export type MainState = Exclude<WorkflowState, 'ASK_USER' | 'BLOCKED'>

export const FIX_LOOPS = ['FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY', 'FIX_BUILD'] as const

export type FixLoop = (typeof FIX_LOOPS)[number]

/** `lean` has neither design, plan nor release: for small and clear work. */
export type WorkflowMode = 'full' | 'lean'

/** What must be true before a transition is made; the guard's name is looked up in the session's facts. */
export type Guard =
  | 'intake-complete'
  | 'lean-intake-complete'
  | 'design-complete'
  | 'design-approved'
  | 'changes-requested'
  | 'plan-complete'
  | 'strategy-chosen'
  | 'tasks-completed'
  | 'build-not-red'
  | 'done'
  | `retry-counted ${FixLoop}`
  | 'none'

/** A legal transition, in one mode or in both. */
export type Transition = {
  readonly from: MainState
  readonly to: MainState
  readonly guard: Guard
  readonly mode: WorkflowMode | 'both'
}

type Row = readonly [from: MainState, to: MainState, guard: Guard, mode?: WorkflowMode]

// The order of the workflow. What ends a FIX loop goes back to the gate that opened it.
const ROWS: readonly Row[] = [
  ['INTAKE', 'DESIGN', 'intake-complete', 'full'],
  ['DESIGN', 'APPROVE_DESIGN', 'design-complete', 'full'],
  ['APPROVE_DESIGN', 'DESIGN', 'changes-requested', 'full'],
  ['APPROVE_DESIGN', 'PLAN', 'design-approved', 'full'],
  ['PLAN', 'REVIEW_STRATEGY', 'plan-complete', 'full'],
  ['REVIEW_STRATEGY', 'IMPLEMENT_LOOP', 'strategy-chosen', 'full'],
  ['INTAKE_LEAN', 'IMPLEMENT_LOOP', 'lean-intake-complete', 'lean'],
  // Work that is less simple than it looked starts again in full.
  ['INTAKE_LEAN', 'INTAKE', 'none'],
  ['IMPLEMENT_LOOP', 'INTAKE', 'none', 'lean'],
  ...(['FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY'] as const).flatMap((loop): Row[] => [
    ['IMPLEMENT_LOOP', loop, `retry-counted ${loop}`],
    [loop, 'IMPLEMENT_LOOP', 'none'],
  ]),
  ['IMPLEMENT_LOOP', 'INTEGRATE', 'tasks-completed'],
  ['INTEGRATE', 'FIX_BUILD', 'retry-counted FIX_BUILD'],
  ['RELEASE', 'FIX_BUILD', 'retry-counted FIX_BUILD', 'full'],
  ['FIX_BUILD', 'INTEGRATE', 'none'],
  ['INTEGRATE', 'RELEASE', 'build-not-red', 'full'],
  ['RELEASE', 'DONE', 'done', 'full'],
  ['INTEGRATE', 'DONE', 'done', 'lean'],
]

/** The legal transitions. */
export const TRANSITIONS: readonly Transition[] = ROWS.map(([from, to, guard, mode]) => ({
  from,
  to,
  guard,
  mode: mode ?? 'both',
}))

/** The transitions from a state in some modes: a session that goes from lean to full is in both. */
function transitionsFrom(state: MainState, modes: readonly WorkflowMode[]): Transition[] {
  return TRANSITIONS.filter(it => it.from === state && (it.mode === 'both' || modes.includes(it.mode)))
}

/** The states to which one leads. */
export function nextStates(state: MainState | null, mode: WorkflowMode): MainState[] {
  return state === null ? [] : [...new Set(transitionsFrom(state, [mode]).map(it => it.to))]
}

/** How far along a state is: a session has the artifacts of every earlier phase. */
export function phaseOf(state: MainState): number {
  return PHASES.findIndex(it => it.includes(state))
}

const PHASES: readonly (readonly MainState[])[] = [
  ['INTAKE', 'INTAKE_LEAN'],
  ['DESIGN'],
  ['APPROVE_DESIGN'],
  ['PLAN'],
  ['REVIEW_STRATEGY'],
  ['IMPLEMENT_LOOP', 'FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY'],
  ['INTEGRATE', 'FIX_BUILD'],
  ['RELEASE'],
  ['DONE'],
]

/** Finds a way of legal transitions whose guards hold; the guards that did not on the ways that failed. */
export function findWay(
  { from, to, modes }: { readonly from: MainState; readonly to: MainState; readonly modes: readonly WorkflowMode[] },
  holds: (guard: Guard) => boolean,
): { readonly isLegal: boolean; readonly unmet: readonly Guard[] } {
  const seen = new Set<MainState>([from])
  const unmet = new Set<Guard>()
  const open: MainState[] = [from]
  for (let state = open.shift(); state !== undefined; state = open.shift()) {
    if (state === to) return { isLegal: true, unmet: [] }
    for (const it of transitionsFrom(state, modes)) {
      if (!holds(it.guard)) unmet.add(it.guard)
      else if (!seen.has(it.to)) open.push(it.to)
      if (holds(it.guard)) seen.add(it.to)
    }
  }
  return { isLegal: false, unmet: [...unmet] }
}
