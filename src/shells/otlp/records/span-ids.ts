import { sha256Hex } from '../../../core/base/sha256.ts'
import type { SpanIds } from './signals.ts'

/** The trace of a session. Equal for the same session, in every export of it. */
function sessionTraceId(session: string): string {
  return hexOf(['trace', session], 32)
}

/** The span of a session, which begins with a record. */
export function sessionSpanIds(session: string, startRecord: string): SpanIds {
  return { traceId: sessionTraceId(session), spanId: hexOf(['session', session, startRecord], 16) }
}

/** The span of the run of a session, which began at a time. */
export function runSpanIds(session: string, startedAt: number): SpanIds {
  return { traceId: sessionTraceId(session), spanId: hexOf(['run', session, String(startedAt)], 16) }
}

/** The id of a refused write: equal as long as the session does nothing else about that path. */
export function refusalUid(parts: readonly string[]): string {
  return hexOf(['refusal', ...parts], 32)
}

function hexOf(parts: readonly string[], digits: number): string {
  return sha256Hex(`kotef ${JSON.stringify(parts)}`).slice(0, digits)
}
