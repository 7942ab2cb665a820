import { RETRIES_MAX } from './check-session.ts'
import { GUARD_WORDS, guardsOf } from './guards.ts'
import type { HandoverSession } from './handover-session.ts'
import { refusedEdit, type SessionEdit, statusEdit, statusOf } from './session-edit.ts'
import type { HandoverAgent } from './agents.ts'
import type { StatusFile } from './status-file.ts'
import { whyNotDone } from './why-not-done.ts'
import { FIX_LOOPS, type FixLoop, type MainState, nextStates, TRANSITIONS, type WorkflowState } from './workflow.ts'

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
  if (status.current_state === 'ASK_USER')
    throw refusedEdit(`${session.name} waits for the user.`, 'Answer first: `kotef handover answer`')
  if (to === 'ASK_USER') throw refusedEdit('A question leads there.', ASK_HINT)
  if (to === 'BLOCKED') return statusEdit(blockedStatus(status, advance), now)
  if (status.current_state === 'BLOCKED') return statusEdit(resumedStatus(session, to), now)
  return statusEdit(nextStatus(session, to, advance), now)
}

const ASK_HINT = "Ask: `kotef handover ask --question 'What is wanted?'`"

function blockedStatus(status: StatusFile, { reason }: Advance): StatusFile {
  if (!reason) throw refusedEdit('What blocks the session is missing.', 'Say it: `--reason subagent_failure`')
  return { ...status, current_state: 'BLOCKED', blocked_from: status.current_state, blocker: reason }
}

function resumedStatus({ state, name, status }: HandoverSession, to: MainState): StatusFile {
  if (state !== null && state !== to) throw refusedEdit(`${name} was blocked in ${state}, and goes on there.`)
  return { ...(status as StatusFile), current_state: to, blocked_from: null, blocker: null }
}

function nextStatus(session: HandoverSession, to: MainState, advance: Advance): StatusFile {
  const { state, mode, name } = session
  const status = statusOf(session)
  const counted = isLoop(to) ? withRetry(status, to, advance) : status
  const legal = TRANSITIONS.filter(it => it.from === state && it.to === to && (it.mode === 'both' || it.mode === mode))
  if (legal.length === 0) throw refusedEdit(`${state} does not lead to ${to}.`, nextHint(session))
  const holds = guardsOf({ ...session, status: counted })
  const unmet = legal.filter(it => !holds(it.guard))
  if (unmet.length === legal.length) {
    const lacks =
      to === 'DONE' ? whyNotDone(session).map(it => `  ${it.file}: expected ${it.expected}, found ${it.found}`) : []
    const wanted = unmet.map(it => GUARD_WORDS[it.guard]).join('; ')
    throw refusedEdit([`${name} can't go to ${to} yet: it needs ${wanted}.`, ...lacks].join('\n'))
  }
  const restarted = to === 'INTAKE' ? { mode: 'full' as const } : {}
  return { ...counted, ...restarted, ...correctionOf(status, { to, advance }), current_state: to }
}

function nextHint({ state, mode }: HandoverSession): string {
  const next = nextStates(state, mode)
  return next.length === 0 ? `${state} is the end.` : `It leads to ${next.join(', ')}.`
}

function isLoop(state: WorkflowState): state is FixLoop {
  return FIX_LOOPS.some(it => it === state)
}

// After three rounds the same approach is not tried a fourth time.
function withRetry(status: StatusFile, loop: FixLoop, { task }: Advance): StatusFile {
  const id = task ?? 'meta'
  const counts = status.retry_counts[id] ?? {}
  const count = (counts[loop] ?? 0) + 1
  if (count > RETRIES_MAX)
    throw refusedEdit(`${id} went through ${loop} ${RETRIES_MAX} times.`, `Ask the user: ${RETRY_QUESTION}`)
  return { ...status, retry_counts: { ...status.retry_counts, [id]: { ...counts, [loop]: count } } }
}

const RETRY_QUESTION =
  "`kotef handover ask --question 'Another approach, accept with known issues, simplify, or other guidance?'`"

// The corrections that the user requested: queued by the answer, dispatched with DESIGN, completed when it is over.
function correctionOf(
  status: StatusFile,
  { to, advance }: { readonly to: MainState; readonly advance: Advance },
): Partial<StatusFile> {
  const tracked = status.gate_tracking?.APPROVE_DESIGN
  const correction = tracked?.correction_status ?? 'none'
  const dispatch = { agent: advance.agent ?? null, task_id: 'meta', at: advance.now }
  const next =
    to === 'DESIGN' && status.current_state === 'APPROVE_DESIGN'
      ? { ...tracked, correction_status: 'dispatched' as const, last_correction_dispatch: dispatch }
      : to === 'APPROVE_DESIGN' && correction === 'dispatched'
        ? { ...tracked, correction_status: 'completed' as const }
        : null
  return next ? { gate_tracking: { ...status.gate_tracking, APPROVE_DESIGN: next } } : {}
}
