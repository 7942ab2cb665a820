import { RETRIES_MAX } from './check-session.ts'
import { completeCorrections, correctionIn, dispatchCorrections, withCorrections } from './corrections.ts'
import { GUARD_WORDS, guardsOf } from './guards.ts'
import type { HandoverSession } from './handover-session.ts'
import { lacksOf } from './guard-lacks.ts'
import { refusedEdit, type SessionEdit, statusEdit, statusOf, unmetGate } from './session-edit.ts'
import type { HandoverAgent } from './agents.ts'
import type { StatusFile } from './status-file.ts'
import {
  FIX_LOOPS,
  type FixLoop,
  type MainState,
  nextStates,
  type Transition,
  TRANSITIONS,
  type WorkflowState,
} from './workflow.ts'

/** A transition that an agent wants, and what belongs to it. */
export type Advance = {
  readonly to: WorkflowState
  readonly now: string
  /** The task that a loop of repairs is for. */
  readonly task?: string | null
  /** The agent that gets the corrections of the design. */
  readonly agent?: HandoverAgent | null
  /** What blocks the session. */
  readonly reason?: string | null
}

/** Moves a session to another state by one legal transition. */
export function advanceSession(session: HandoverSession, advance: Advance): SessionEdit {
  const status = statusOf(session)
  const { to, now } = advance
  refuseWaiting(session)
  if (to === 'ASK_USER') throw refusedEdit('A question leads there.', ASK_HINT)
  if (to === 'BLOCKED') return statusEdit(blockedStatus(status, advance), now)
  requireTransition(session, to)
  const isBlocked = status.current_state === 'BLOCKED'
  return statusEdit(isBlocked ? resumedStatus(status, to) : nextStatus(session, to, advance), now)
}

const ASK_HINT = "Ask: `kotef handover ask --question 'What is wanted?'`"

function blockedStatus(status: StatusFile, { reason }: Advance): StatusFile {
  if (!reason) throw refusedEdit('What blocks the session is missing.', 'Say it: `--reason subagent_failure`')
  return { ...status, current_state: 'BLOCKED', blocked_from: status.current_state, blocker: reason }
}

function resumedStatus(status: StatusFile, to: MainState): StatusFile {
  return { ...status, current_state: to, blocked_from: null, blocker: null }
}

function nextStatus(session: HandoverSession, to: MainState, advance: Advance): StatusFile {
  const status = isLoop(to) ? withRetry(session, to, advance) : statusOf(session)
  refuseUnmetGuards({ ...session, status }, to)
  const restarted = to === 'INTAKE' ? { mode: 'full' as const } : {}
  return { ...withCorrectionsFor({ ...session, status }, to, advance), ...restarted, current_state: to }
}

/** Refuses a state that can't be the next one, whatever the session has. */
export function requireTransition(session: HandoverSession, to: MainState): void {
  const { state, name } = session
  refuseWaiting(session)
  if (statusOf(session).current_state === 'BLOCKED') {
    if (state === null || state === to) return
    throw refusedEdit(`${name} was blocked in ${state}, and goes on there.`)
  }
  // A session that was resumed at the gate has its corrections verified there.
  const isVerified = state === 'APPROVE_DESIGN' && to === state && correctionIn(session.status) === 'dispatched'
  if (!isVerified && transitionsTo(session, to).length === 0)
    throw refusedEdit(`${state} does not lead to ${to}.`, nextHint(session))
}

function refuseWaiting(session: HandoverSession): void {
  if (statusOf(session).current_state === 'ASK_USER')
    throw refusedEdit(`${session.name} waits for the user.`, 'Answer first: `kotef handover answer`')
}

function transitionsTo({ state, mode }: HandoverSession, to: MainState): Transition[] {
  return TRANSITIONS.filter(it => it.from === state && it.to === to && (it.mode === 'both' || it.mode === mode))
}

function refuseUnmetGuards(session: HandoverSession, to: MainState): void {
  const legal = transitionsTo(session, to)
  const holds = guardsOf(session)
  const unmet = legal.filter(it => !holds(it.guard))
  if (legal.length === 0 || unmet.length < legal.length) return
  const wanted = unmet.map(it => GUARD_WORDS[it.guard]).join('; ')
  const lacks = unmet.flatMap(it => lacksOf(session, it.guard))
  const lines = lacks.map(it => {
    const at = [it.file, ...(it.pointer === null ? [] : [it.pointer])].join(' ')
    return `  ${at}: expected ${it.expected}, found ${it.found}`
  })
  throw unmetGate([`${session.name} can't go to ${to} yet: it needs ${wanted}.`, ...lines].join('\n'))
}

function nextHint({ state, mode }: HandoverSession): string {
  const next = nextStates(state, mode)
  return next.length === 0 ? `${state} is the end.` : `It leads to ${next.join(', ')}.`
}

function isLoop(state: WorkflowState): state is FixLoop {
  return FIX_LOOPS.some(it => it === state)
}

// After three rounds the same approach is not tried a fourth time.
function withRetry(session: HandoverSession, loop: FixLoop, { task }: Advance): StatusFile {
  const status = statusOf(session)
  const id = taskInLoop(session, loop, task ?? null)
  const counts = status.retry_counts[id] ?? {}
  const count = (counts[loop] ?? 0) + 1
  if (count > RETRIES_MAX)
    throw refusedEdit(`${id} went through ${loop} ${RETRIES_MAX} times.`, `Ask the user: ${RETRY_QUESTION}`)
  return { ...status, retry_counts: { ...status.retry_counts, [id]: { ...counts, [loop]: count } } }
}

// A build is repaired when every task is completed; the other loops are for a task that waits for its gates.
function taskInLoop({ tasks, name }: HandoverSession, loop: FixLoop, named: string | null): string {
  const all = tasks?.tasks ?? []
  const hint = `Name one: \`kotef handover advance ${loop} --task ${all[0]?.id ?? 'T-001'}\``
  if (named !== null) {
    if (all.some(it => it.id === named)) return named
    throw refusedEdit(`${name} has no task ${named}.`, hint)
  }
  const [only, second] = all.filter(it => it.status === (loop === 'FIX_BUILD' ? 'completed' : 'implemented'))
  if (only && !second) return only.id
  throw refusedEdit(`The task that ${loop} is for is missing.`, hint)
}

const RETRY_QUESTION =
  "`kotef handover ask --question 'Another approach, accept with known issues, simplify, or other guidance?'`"

// The corrections that the user requested: queued by the answer, dispatched with DESIGN, completed when it is over.
function withCorrectionsFor(session: HandoverSession, to: MainState, { agent, now }: Advance): StatusFile {
  const status = statusOf(session)
  if (to === 'DESIGN' && session.state === 'APPROVE_DESIGN')
    return withCorrections(status, dispatchCorrections(session, { agent: agent ?? null, now }))
  const isBack = to === 'APPROVE_DESIGN' && correctionIn(status) === 'dispatched'
  return isBack ? withCorrections(status, completeCorrections(session)) : status
}
