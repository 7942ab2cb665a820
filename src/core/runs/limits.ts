/**
 * The thresholds of the rules that end a run. 0 or less switches a rule off.
 *
 * Source: the rules of nine agents, compared on 2026-11-20. They agree on 3 to 5 identical calls (OpenHands, Roo Code,
 * Cline), cycles of up to five calls (Gemini CLI), three timeouts in a row (SWE-agent) and three identical messages
 * (OpenHands). The edges and the steps stay below LangGraph's 25 super-steps and a runaway of hours.
 */
export type Limits = {
  readonly sameCallWarn: number
  readonly sameCallStop: number
  /** For declared polls, in place of `sameCallStop`. */
  readonly samePollStop: number
  readonly sameErrorWarn: number
  readonly sameErrorStop: number
  /** How often a cycle of two to five calls may be repeated. */
  readonly cycleStop: number
  /** The same command, the same error, and a new tree each time. */
  readonly sameFailureWarn: number
  readonly sameFailureStop: number
  /** The same for a command that is not a check of the definition of done: it may fail for a reason of its own. */
  readonly sameCommandFailureStop: number
  /** How often the same tree may be reached with the same failure. */
  readonly returnsStop: number
  readonly noopEditsStop: number
  readonly edgeStop: number
  readonly stepsStop: number
  /** The nodes of a graph since its start or a person's message, and since the last progress. */
  readonly superStepsStop: number
  readonly idleStepsStop: number
  readonly timeoutsStop: number
  readonly sameMessageStop: number
  readonly softViolationsStop: number
  readonly infrastructurePause: number
  /** The steps of a plan for a small intent. */
  readonly planStepsWarn: number
  readonly commandsStop: number
  readonly testsStop: number
  readonly installsStop: number
}

/** How often an agent is held at a stop on one tree, and in a turn. Source: Claude Code gives up after eight. */
export const HELD_ON_TREE_MAX = 3
export const HELD_MAX = 6

/** How patient a run is, and what it may spend. */
export type Profile = 'strict' | 'fast' | 'smoke' | 'yolo'

export type ProfileTerms = {
  readonly limits: Limits
  /** True when a run may end as `done_partial`: its checks pass, and diagnostics remain. */
  readonly mayBePartial: boolean
}

const DEFAULTS: Limits = {
  sameCallWarn: 3,
  sameCallStop: 4,
  samePollStop: 10,
  sameErrorWarn: 3,
  sameErrorStop: 4,
  cycleStop: 3,
  sameFailureWarn: 3,
  sameFailureStop: 5,
  sameCommandFailureStop: 5,
  returnsStop: 3,
  noopEditsStop: 3,
  edgeStop: 8,
  stepsStop: 100,
  superStepsStop: 0,
  idleStepsStop: 0,
  timeoutsStop: 3,
  sameMessageStop: 3,
  softViolationsStop: 3,
  infrastructurePause: 10,
  planStepsWarn: 5,
  commandsStop: 0,
  testsStop: 0,
  installsStop: 0,
}

/** The names of all limits. */
export const LIMIT_NAMES = Object.keys(DEFAULTS) as readonly (keyof Limits)[]

/** The names of the limits that a run of an agent's session has: it has no nodes. */
export const AGENT_LIMIT_NAMES = LIMIT_NAMES.filter(it => !/^(?:edge|superSteps|idleSteps)Stop$/.test(it))

// What a strict run gets more of: attempts. Constraints, messages and the size of a plan are no attempts.
const ATTEMPTS = [
  ...['sameCallStop', 'samePollStop', 'sameErrorStop', 'cycleStop', 'sameFailureStop', 'returnsStop'],
  ...['sameCommandFailureStop', 'noopEditsStop', 'edgeStop', 'stepsStop', 'timeoutsStop'],
] as readonly (keyof Limits)[]
const STRICT_FACTOR = 1.5

type ProfileRow = { readonly factor: number; readonly mayBePartial: boolean; readonly budget: Partial<Limits> }

const PROFILES: Readonly<Record<Profile, ProfileRow>> = {
  strict: { factor: STRICT_FACTOR, mayBePartial: false, budget: {} },
  fast: { factor: 1, mayBePartial: true, budget: { commandsStop: 300, testsStop: 60, installsStop: 10 } },
  smoke: { factor: 1, mayBePartial: true, budget: { commandsStop: 60, testsStop: 10, installsStop: 2 } },
  yolo: { factor: 1, mayBePartial: true, budget: {} },
}

/** The names of all profiles. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly Profile[]

/** The limits of a profile; single ones can be replaced. Without a profile they are the defaults, without a budget. */
export function profileTerms(profile: Profile | null, replaced: Partial<Limits> = {}): ProfileTerms {
  const { factor, mayBePartial, budget } = profile === null ? PROFILES.yolo : PROFILES[profile]
  const scaled = Object.fromEntries(ATTEMPTS.map(it => [it, Math.floor(DEFAULTS[it] * factor)]))
  return { limits: { ...DEFAULTS, ...scaled, ...budget, ...replaced }, mayBePartial }
}

/**
 * The limits of a run whose graph may execute so many nodes: LangGraph throws at its recursion limit, so the run ends
 * while the nodes of its end have room. Limits that a program names itself stay. 0: the graph has no such limit.
 */
export function withinRecursion(
  { limits, ...terms }: ProfileTerms,
  { recursionLimit, named }: { readonly recursionLimit: number; readonly named: Partial<Limits> },
): ProfileTerms {
  if (recursionLimit === 0) return { ...terms, limits }
  const superStepsStop = Math.max(1, recursionLimit - END_NODES)
  const idleStepsStop = Math.max(1, recursionLimit - IDLE_END_NODES)
  return { ...terms, limits: { ...limits, superStepsStop, idleStepsStop, ...named } }
}

// Source: a planner that decides in every third node or more often, as in the graphs that were compared.
const END_NODES = 4
const IDLE_END_NODES = 9

/** LangGraph's own limit of the nodes that a graph may execute. Source: its `recursionLimit`, 25 by default. */
export const RECURSION_LIMIT = 25

/** True when a count has reached a limit that is not switched off. */
export function reaches(count: number, limit: number): boolean {
  return limit > 0 && count >= limit
}
