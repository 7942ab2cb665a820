import type { AgentRun } from '../../../core/runs/agent-run.ts'
import { isStopped } from '../../../core/runs/run-state.ts'
import { attributesOf } from './attribute-names.ts'
import type { SpanIds, TelemetrySpan } from './signals.ts'
import { runSpanIds } from './span-ids.ts'

/** The runs whose spans were exported: the id of the span, and the time of the end that it had. */
export type ExportedRuns = Readonly<Record<string, number>>

/** The span of a run that has ended; null for one that goes on. The evidence of its end stays here. */
export function runSpan({ terms, state }: AgentRun, session: SpanIds | null): TelemetrySpan | null {
  const { end, startedAt, totalSteps } = state
  if (end === null || startedAt === null) return null
  return {
    ...runSpanIds(terms.session, startedAt),
    parentId: session?.spanId ?? null,
    name: 'kotef.run',
    start: startedAt,
    end: Math.max(startedAt, end.at),
    failure: isStopped(end) ? end.rule : null,
    attributes: attributesOf({
      session: terms.session,
      intent: terms.intent,
      status: end.status,
      rule: end.rule,
      steps: totalSteps,
    }),
  }
}

/** The spans that were not exported, with this end. A run that went on after an end has another one. */
export function newRunSpans(spans: readonly TelemetrySpan[], exported: ExportedRuns): TelemetrySpan[] {
  return spans.filter(it => !Object.hasOwn(exported, it.spanId) || exported[it.spanId] !== it.end)
}

/** What is exported when these spans are, as long as their runs are kept. */
export function exportedRuns(spans: readonly TelemetrySpan[]): ExportedRuns {
  return Object.fromEntries(spans.map(it => [it.spanId, it.end]))
}
