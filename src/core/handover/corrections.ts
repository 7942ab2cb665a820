import type { HandoverAgent } from './agents.ts'
import { type HandoverProblem, problemsOf } from './handover-problem.ts'
import { designBlobs, designVerdict, type HandoverSession, sessionPath } from './handover-session.ts'
import { refusedEdit, unmetGate } from './session-edit.ts'
import { CORRECTORS, type Corrector, type DesignTracking, STATUS_FILE, type StatusFile } from './status-file.ts'

type Correction = 'none' | 'queued' | 'dispatched' | 'completed'

/** How far the corrections are that the user requested. */
export function correctionIn(status: StatusFile | null): Correction {
  return status?.gate_tracking?.APPROVE_DESIGN?.correction_status ?? 'none'
}

/** A status with other corrections of the design. */
export function withCorrections(status: StatusFile, tracked: DesignTracking): StatusFile {
  return { ...status, gate_tracking: { ...status.gate_tracking, APPROVE_DESIGN: tracked } }
}

/** Corrections that wait for an agent. */
export const QUEUED: DesignTracking = {
  correction_status: 'queued',
  last_correction_dispatch: { agent: null, task_id: null, at: null },
}

/** Gives the corrections to an agent, once. */
export function dispatchCorrections(
  session: HandoverSession,
  { agent, now }: { readonly agent: HandoverAgent | null; readonly now: string },
): DesignTracking {
  const correction = correctionIn(session.status)
  if (correction === 'dispatched' || correction === 'completed')
    throw refusedEdit(
      `The corrections of the design are ${correction}, and are not dispatched again.`,
      ONWARD[correction],
    )
  const corrector = CORRECTORS.find(it => it === agent)
  if (!corrector) {
    const what = agent === null ? 'The agent that corrects the design is missing.' : `A ${agent} corrects no design.`
    throw refusedEdit(what, `Name one of ${CORRECTORS.join(', ')}: \`--agent Architect\``)
  }
  return { correction_status: 'dispatched', last_correction_dispatch: dispatchTo(corrector, session, now) }
}

function dispatchTo(agent: Corrector, session: HandoverSession, at: string) {
  return { agent, task_id: 'meta', at, based_on: designBlobs(session) }
}

/** What comes after corrections that an agent has. */
export const ONWARD = {
  dispatched: 'When they are made: `kotef handover advance APPROVE_DESIGN`',
  completed: 'Ask for the approval again: `kotef handover ask --gate design`',
} as const

/** Completes corrections that an agent has made. */
export function completeCorrections(session: HandoverSession): DesignTracking {
  const tracked = session.status?.gate_tracking?.APPROVE_DESIGN ?? {}
  if (areMade(session, null)) return { ...tracked, correction_status: 'completed' }
  const agent = tracked.last_correction_dispatch?.agent ?? 'the agent'
  throw unmetGate(
    `The corrections are not made: the design has not changed, and ${agent} has submitted no answer.`,
    `Change it, or submit the answer: \`kotef handover submit answer.json --role ${agent}\``,
  )
}

/** Notes the answer of the agent that has the corrections. */
export function answeredCorrections(status: StatusFile, agent: HandoverAgent, now: string): StatusFile {
  const tracked = status.gate_tracking?.APPROVE_DESIGN
  const dispatch = tracked?.last_correction_dispatch
  if (correctionIn(status) !== 'dispatched' || dispatch?.agent !== agent) return status
  return withCorrections(status, { ...tracked, last_correction_dispatch: { ...dispatch, answered_at: now } })
}

// Without what was noted at the dispatch, the design is compared with that of another moment.
function areMade(session: HandoverSession, old: HandoverSession | null): boolean {
  const { answered_at = null, based_on } = session.status?.gate_tracking?.APPROVE_DESIGN?.last_correction_dispatch ?? {}
  const base = based_on ?? (old && designBlobs(old))
  return answered_at !== null || base === null || JSON.stringify(base) !== JSON.stringify(designBlobs(session))
}

/** Problems of corrections that are dispatched twice, or completed without being made. */
export function checkCorrections(old: HandoverSession | null, session: HandoverSession): HandoverProblem[] {
  const flaw = correctionFlaw(old, session)
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  return flaw === null ? [] : [at('handover-transition', 'gate_tracking/APPROVE_DESIGN/correction_status', flaw)]
}

type Flaw = Pick<HandoverProblem, 'expected' | 'found'>

function correctionFlaw(old: HandoverSession | null, session: HandoverSession): Flaw | null {
  const was = correctionIn(old?.status ?? null)
  const found = correctionIn(session.status)
  const { last_correction_dispatch: dispatch } = session.status?.gate_tracking?.APPROVE_DESIGN ?? {}
  const isAssigned = (dispatch?.agent ?? null) !== null
  if ((found === 'dispatched' || found === 'completed') && !isAssigned)
    return { expected: `an agent in last_correction_dispatch: ${CORRECTORS.join(', ')}`, found: 'none' }
  const isBack = old?.state === 'APPROVE_DESIGN' && session.state === 'DESIGN'
  if (isBack && found === 'none') return { expected: 'queued or dispatched on the way back to DESIGN', found }
  // Each request of the user is one line of the history, and has its own corrections.
  const isRequested = session.history.length > (old?.history.length ?? 0)
  if (!isRequested && isRepeated({ was, found, isBack }, old, session))
    return { expected: `corrections that are ${was}, and are not dispatched again`, found }
  const isCompleted = found === 'completed' && (was !== 'completed' || isRequested)
  if (!isCompleted || areMade(session, was === 'dispatched' ? null : old)) return null
  return { expected: 'a change of the design since the dispatch, or an answer of the agent', found }
}

type Step = { readonly was: Correction; readonly found: Correction; readonly isBack: boolean }

function isRepeated({ was, found, isBack }: Step, old: HandoverSession | null, session: HandoverSession): boolean {
  if (was !== 'dispatched' && was !== 'completed') return false
  const verdict = designVerdict(session)
  if (found === 'none') return verdict !== 'approved' && verdict !== 'void'
  const dispatchedAt = (it: HandoverSession | null): string | null =>
    it?.status?.gate_tracking?.APPROVE_DESIGN?.last_correction_dispatch?.at ?? null
  if (dispatchedAt(old) !== dispatchedAt(session)) return true
  return found === 'queued' || (was === 'completed' && (found === 'dispatched' || isBack))
}
