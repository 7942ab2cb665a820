import type { HandoverSession } from './handover-session.ts'
import { type MainState, nextStates } from './workflow.ts'

/** The states to which a session may go: an interruption leads back to what it interrupted, and nowhere else. */
export function statesAhead({ status, state, mode }: HandoverSession): MainState[] {
  const isInterrupted = status?.current_state === 'ASK_USER' || status?.current_state === 'BLOCKED'
  return isInterrupted && state !== null ? [state] : nextStates(state, mode)
}

/** The questions whose end a session waits for before it goes anywhere. */
export function awaitedAnswers({ status }: Pick<HandoverSession, 'status'>): string[] {
  if (status?.current_state !== 'ASK_USER') return []
  return status.user_decisions.filter(it => it.status === 'pending').map(it => it.decision_id)
}
