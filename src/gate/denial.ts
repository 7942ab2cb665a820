import { escapeInvisible } from '../text/printable.ts'
import type { Reason } from './reason.ts'

/** Why something was refused, as an agent reads it. */
type Denial = {
  readonly status: 'error'
  readonly error_type: string
  readonly message: string
  readonly path?: string
  readonly intent?: string
  /** True when the agent can do something about it; false when a person has to. */
  readonly recoverable: boolean
  readonly action_hint: string
}

/** Reasons as one document of JSON: the first one names it, and all of them are told. */
export function denialText(reasons: readonly Reason[]): string {
  const shown = reasons.slice(0, REASONS_MAX)
  const [first] = shown
  const more = reasons.length - shown.length
  const messages = [...shown.map(it => it.message), ...(more > 0 ? [`… and ${more} more`] : [])]
  const denial: Denial = {
    status: 'error',
    error_type: first?.code ?? 'orchestration-unavailable',
    message: escapeInvisible(messages.join('\n')),
    ...(first?.path ? { path: first.path } : {}),
    ...(first?.intent ? { intent: first.intent } : {}),
    recoverable: !shown.some(it => CODES_FOR_PERSONS.has(it.code)),
    action_hint: escapeInvisible([...new Set(shown.map(it => it.hint))].filter(it => it !== '').join('\n')),
  }
  return JSON.stringify(denial)
}

const REASONS_MAX = 10

/** What only a person can mend. */
const CODES_FOR_PERSONS: ReadonlySet<Reason['code']> = new Set(['orchestration-unavailable', 'governance-off'])
