import { type KotefError, toKotefError } from '../findings/failure.ts'
import { type Refusal, refusal } from '../gate/denial.ts'
import { INTENT_REQUIRED_MESSAGE } from '../gate/reasons.ts'

/** A refusal that the agent can do something about. */
export function recoverableRefusal(error_type: string, message: string, action_hint: string): Refusal {
  return refusal({ error_type, message, action_hint, recoverable: true })
}

/** The answer of every tool that needs a selected intent, before the selection. */
export const NO_INTENT_SELECTED = recoverableRefusal(
  'intent-not-selected',
  INTENT_REQUIRED_MESSAGE,
  'Call list_intents, then select_active_intent with the id of the intent that the request belongs to.',
)

/** A failure as a refusal. One that is not the agent's to solve is orchestration-unavailable: nothing is allowed. */
export function refusalOf(thrown: unknown): Refusal {
  const { code, message, hint }: KotefError = toKotefError(thrown)
  if (RECOVERABLE_CODES.has(code)) return recoverableRefusal(code, message, hint)
  return refusal({
    error_type: 'orchestration-unavailable',
    message: `orchestration unavailable: ${message.replace(/^orchestration unavailable: /i, '')}`,
    action_hint: hint,
    recoverable: false,
  })
}

/** Failures that the agent can solve: it can select another intent, or call in another way. */
const RECOVERABLE_CODES: ReadonlySet<string> = new Set([
  ...['usage', 'unknown-intent', 'dependency-unmet', 'illegal-transition', 'claim-held', 'session-locked'],
  'request-over',
])
