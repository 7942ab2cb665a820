import type { Attributes, TelemetryLog, TelemetryMetric, TelemetrySpan } from '../records/signals.ts'
import type { OtlpAnswer } from './otlp-answer.ts'

/** The address of each signal; null where the environment has it. */
export type SignalUrls = {
  readonly logs: string | null
  readonly spans: string | null
  readonly metrics: string | null
}

/** To whom telemetry is sent, and from where. */
export type OtlpTarget = {
  readonly urls: SignalUrls
  /** Of this clone. The variables OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME win over it. */
  readonly resource: Attributes
  readonly version: string
}

/** Sends telemetry to one receiver. A test has another one. */
export type OtlpSender = {
  logs(values: readonly TelemetryLog[], now: number): Promise<OtlpAnswer>
  spans(values: readonly TelemetrySpan[]): Promise<OtlpAnswer>
  metrics(values: readonly TelemetryMetric[], times: CountedTime): Promise<OtlpAnswer>
  /** What the exporters say of settings that they can't use. */
  readonly warnings: readonly string[]
  close(): void
}

/** The time that counters are of, in milliseconds since 1970. */
export type CountedTime = { readonly startedAt: number; readonly now: number }
