import { INTENT_REQUIRED_MESSAGE } from '../context/context-text.ts'
import { type KotefError, toKotefError } from '../findings/failure.ts'
import { escapeInvisible } from '../text/printable.ts'

/** Why a tool did nothing, as an agent reads it. */
export type Refusal = {
  readonly status: 'error'
  readonly error_type: string
  readonly message: string
  readonly action_hint: string
  /** True when the agent can do something about it; false when a person has to. */
  readonly recoverable: boolean
}

/** A refusal that the agent can do something about. */
export function recoverableRefusal(error_type: string, message: string, action_hint: string): Refusal {
  return { status: 'error', error_type, message: escapeInvisible(message), action_hint, recoverable: true }
}

/** What every tool but the selecting ones answers before the selection. */
export const NO_INTENT_SELECTED = recoverableRefusal(
  'intent-not-selected',
  INTENT_REQUIRED_MESSAGE,
  'Call list_intents, then select_active_intent with the id of the intent that the request belongs to.',
)

/** What went wrong, as a refusal. When kotef can't say what holds, nothing is allowed. */
export function refusalOf(thrown: unknown): Refusal {
  const error = toKotefError(thrown)
  const hint = escapeInvisible(error.hint)
  if (isRecoverable(error)) return recoverableRefusal(error.code, error.message, hint)
  const message = escapeInvisible(
    `orchestration unavailable: ${error.message.replace(/^orchestration unavailable: /i, '')}`,
  )
  return { status: 'error', error_type: 'orchestration-unavailable', message, action_hint: hint, recoverable: false }
}

/** Codes that answer the agent: it can choose another intent, or ask in another way. */
const RECOVERABLE_CODES: ReadonlySet<string> = new Set([
  ...[
    'usage',
    'unknown-intent',
    'dependency-unmet',
    'illegal-transition',
    'claim-held',
    'session-locked',
    'request-over',
  ],
])

function isRecoverable({ code }: KotefError): boolean {
  return RECOVERABLE_CODES.has(code)
}
