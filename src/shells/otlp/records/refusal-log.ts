import { attributesOf, telemetryText } from './attribute-names.ts'
import type { SpanIds, TelemetryLog } from './signals.ts'
import { refusalUid } from './span-ids.ts'

/** A write of an agent that was refused, and since which commit kotef keeps it. */
export type KeptRefusal = {
  readonly session: string
  readonly agent: string
  readonly head: string
  readonly code: string
  readonly path: string
}

/** A refused write as a log. kotef does not keep its time. */
export function refusalLog(refusal: KeptRefusal, { paths, span }: RefusalTerms): TelemetryLog {
  const { session, agent, head, code, path } = refusal
  const uid = refusalUid([session, head, code, path])
  return {
    uid,
    event: 'kotef.refusal',
    at: null,
    severity: 'WARN',
    span,
    body: telemetryText(`refused ${code}${paths ? ` ${path}` : ''}`),
    attributes: attributesOf({
      uid,
      event: 'refusal',
      session,
      agent,
      rule: code,
      revision: head,
      ...(paths ? { path } : {}),
    }),
  }
}

type RefusalTerms = { readonly paths: boolean; readonly span: SpanIds | null }
