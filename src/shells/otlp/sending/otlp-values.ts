import { type HrTime, SpanKind, SpanStatusCode, TraceFlags, ValueType } from '@opentelemetry/api'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { AggregationTemporality, DataPointType, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { TelemetryLog, TelemetryMetric, TelemetrySpan } from '../records/signals.ts'
import type { CountedTime, OtlpTarget } from './otlp-target.ts'

/** What each value of OpenTelemetry names as its origin. */
export type OtlpOrigin = {
  readonly resource: Resource
  readonly scope: { readonly name: string; readonly version: string }
}

/** The origin of everything that goes to a target. */
export function otlpOrigin({ resource, version }: OtlpTarget): OtlpOrigin {
  const fromEnvironment = detectResources({ detectors: [envDetector] })
  return { resource: resourceFromAttributes(resource).merge(fromEnvironment), scope: { name: 'kotef', version } }
}

/** A log as the exporter takes it. `now` is when it is sent. */
export function logValue(log: TelemetryLog, now: number, { resource, scope }: OtlpOrigin): ReadableLogRecord {
  const { at, severity, body, event, attributes, span } = log
  return {
    resource,
    instrumentationScope: scope,
    attributes: { ...attributes },
    body,
    eventName: event,
    hrTime: timeOf(at ?? 0),
    hrTimeObserved: timeOf(now),
    droppedAttributesCount: 0,
    severityText: severity,
    severityNumber: SEVERITIES[severity],
    ...(span ? { spanContext: { ...span, traceFlags: TraceFlags.SAMPLED } } : {}),
  }
}

// The numbers of the specification.
const SEVERITIES = { INFO: 9, WARN: 13, ERROR: 17 } as const

/** A span as the exporter takes it. */
export function spanValue(span: TelemetrySpan, { resource, scope }: OtlpOrigin): ReadableSpan {
  const { traceId, spanId, parentId, name, start, end, failure, attributes } = span
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
  const status = failure === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: failure }
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context,
    status,
    attributes: { ...attributes },
    ...(parentId === null ? {} : { parentSpanContext: { ...context, spanId: parentId } }),
    startTime: timeOf(start),
    endTime: timeOf(end),
    duration: timeOf(end - start),
    ended: true,
    links: [],
    events: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Counters as the exporter takes them: cumulative sums. */
export function metricValues(
  metrics: readonly TelemetryMetric[],
  { startedAt, now }: CountedTime,
  { resource, scope }: OtlpOrigin,
): ResourceMetrics {
  const times = { startTime: timeOf(startedAt), endTime: timeOf(now) }
  const values = metrics.map(({ name, unit, description, points }) => ({
    descriptor: { name, unit, description, valueType: ValueType.INT },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    isMonotonic: true,
    dataPointType: DataPointType.SUM as const,
    dataPoints: points.map(it => ({ ...times, attributes: { ...it.attributes }, value: it.value })),
  }))
  return { resource, scopeMetrics: [{ scope, metrics: values }] }
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}
