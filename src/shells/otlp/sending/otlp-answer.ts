import { objectOrNull, parseObject } from '../../../core/base/payload.ts'

/** What became of a request. */
export type OtlpAnswer =
  /** The receiver has it, but for as many items as it rejected. They are not sent again. */
  | { readonly outcome: 'acknowledged'; readonly rejected: number; readonly message: string | null }
  /** It may have it later, or it has it and its answer was lost. */
  | { readonly outcome: 'later'; readonly retryAfterMs: number | null; readonly message: string }
  /** It will not have it. `status` is null when no answer came. */
  | { readonly outcome: 'refused'; readonly status: number | null; readonly message: string }

/** The result that an exporter gives. */
export type ExportOutcome = { readonly code: number; readonly error?: Error }

/** What else is known of an answer: its header Retry-After, and the partial success in it as JSON. */
export type AnswerClues = { retryAfter: string | null; partialSuccess: string | null }

/** What the result of an exporter means. `now` is in milliseconds since 1970. */
export function answerOf({ code, error }: ExportOutcome, clues: AnswerClues, now: number): OtlpAnswer {
  if (code === SUCCESS) return acknowledged(clues.partialSuccess)
  const message = error?.message || 'it gives no reason'
  const reason: unknown = error && 'code' in error ? error.code : undefined
  if (typeof reason === 'number') return { outcome: 'refused', status: reason, message: `${reason} ${message}` }
  if (typeof reason === 'string' && !PASSING_FAILURES.has(reason))
    return { outcome: 'refused', status: null, message: `${reason}: ${message}` }
  return { outcome: 'later', retryAfterMs: retryAfterMs(clues.retryAfter, now), message }
}

// ExportResultCode.SUCCESS
const SUCCESS = 0

// Those after which the exporter itself tries again. Any other one, such as a certificate that is not trusted, stays.
const PASSING_FAILURES: ReadonlySet<string> = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND', 'ENETUNREACH', 'EHOSTUNREACH'],
])

function acknowledged(partialSuccess: string | null): OtlpAnswer {
  const partial = objectOrNull(parseObject(partialSuccess ?? '')) ?? {}
  const { rejectedLogRecords, rejectedSpans, rejectedDataPoints, errorMessage } = partial
  const rejected = [rejectedLogRecords, rejectedSpans, rejectedDataPoints].map(Number).find(it => it > 0) ?? 0
  const message = typeof errorMessage === 'string' && errorMessage !== '' ? errorMessage : null
  return { outcome: 'acknowledged', rejected, message }
}

function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
