import { type KotefError, toKotefError } from '../../base/failure.ts'
import { escapeInvisible } from '../../base/printable.ts'
import type { Reason } from './reasons.ts'

/** Why kotef refused something: the wire format of the gate's denials and of the MCP server's errors. */
export type Refusal = {
  readonly status: 'error'
  readonly error_type: string
  readonly message: string
  readonly path?: string
  readonly intent?: string
  /** True when the agent can do something about it; false when a person has to. */
  readonly recoverable: boolean
  readonly action_hint: string
}

/** Builds a refusal. Invisible characters are escaped: they could say something else to an agent than to a person. */
export function refusal(fields: Omit<Refusal, 'status'>): Refusal {
  const { message, action_hint } = fields
  return { status: 'error', ...fields, message: escapeInvisible(message), action_hint: escapeInvisible(action_hint) }
}

/** Reasons as one JSON document: `error_type` is the first one's code, `message` has all of them. */
export function denialText(reasons: readonly Reason[]): string {
  const shown = reasons.slice(0, REASONS_MAX)
  const [first] = shown
  const more = reasons.length - shown.length
  const messages = [...shown.map(it => it.message), ...(more > 0 ? [`… and ${more} more`] : [])]
  const denial = refusal({
    error_type: first?.code ?? 'orchestration-unavailable',
    message: messages.join('\n'),
    ...(first?.path ? { path: first.path } : {}),
    ...(first?.intent ? { intent: first.intent } : {}),
    recoverable: !shown.some(it => CODES_FOR_PERSONS.has(it.code)),
    action_hint: [...new Set(shown.map(it => it.hint))].filter(it => it !== '').join('\n'),
  })
  return JSON.stringify(denial)
}

/** Reasons for which this repository only warns, as text for an agent: the call went through. */
export function warningText(reasons: readonly Reason[]): string {
  const lines = reasons.slice(0, REASONS_MAX).map(it => `- ${escapeInvisible(it.message)}`)
  return [
    'kotef warns: this is outside what the intent allows. It was not stopped, and it is recorded.',
    ...lines,
  ].join('\n')
}

const REASONS_MAX = 10

/** Problems that only a person can repair. */
const CODES_FOR_PERSONS: ReadonlySet<Reason['code']> = new Set(['orchestration-unavailable', 'governance-off'])

/** A refusal that the agent can do something about. */
export function recoverableRefusal(error_type: string, message: string, action_hint: string): Refusal {
  return refusal({ error_type, message, action_hint, recoverable: true })
}

/** A failure as a refusal. One that is not the agent's to solve is orchestration-unavailable: nothing is allowed. */
export function refusalOf(thrown: unknown): Refusal {
  const { code, message, hint }: KotefError = toKotefError(thrown)
  if (RECOVERABLE_CODES.has(code)) return recoverableRefusal(code, message, hint)
  if (code === 'person-needed') return refusal({ error_type: code, message, action_hint: hint, recoverable: false })
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
  ...['request-over', 'handover-refused', 'handover-unmet', 'unknown-handover'],
])
