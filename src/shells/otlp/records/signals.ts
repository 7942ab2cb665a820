/** A value of an attribute that leaves this machine. */
export type AttributeValue = string | number | boolean

export type Attributes = Readonly<Record<string, AttributeValue>>

/** Where a log or a span belongs, as OpenTelemetry's ids in hex: 16 bytes for a trace, 8 for a span. */
export type SpanIds = { readonly traceId: string; readonly spanId: string }

/** What a receiver gets of a ledger record, or of a refused write. Times are in milliseconds since 1970. */
export type TelemetryLog = {
  /** Equal for the same record, however often it is sent. */
  readonly uid: string
  readonly event: string
  /** Null when the time is not known. */
  readonly at: number | null
  readonly severity: 'INFO' | 'WARN' | 'ERROR'
  readonly body: string
  readonly attributes: Attributes
  readonly span: SpanIds | null
}

/** A session or a run that has ended. */
export type TelemetrySpan = SpanIds & {
  readonly parentId: string | null
  readonly name: string
  readonly start: number
  readonly end: number
  /** The rule that stopped it; null when nothing did. */
  readonly failure: string | null
  readonly attributes: Attributes
}

/** The value of a counter for one set of attributes. */
export type CounterPoint = { readonly attributes: Attributes; readonly value: number }

/** A counter with all its values since `startedAt`. */
export type TelemetryMetric = {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly points: readonly CounterPoint[]
}
