// A receiver of OpenTelemetry that decodes by code that OpenTelemetry generated: `fault`, `stop`, `restart`.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

/** How the receiver answers a request, in place of acknowledging it. */
export type OtlpFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** It has the request, and ends the connection without an answer. */
  | 'lost'
  /** The same before it has read the request. */
  | 'closed'
  /** It has the request, and never answers. */
  | 'silent'
  | { readonly rejected: number; readonly message: string }

type Attributes = Readonly<Record<string, string | number | boolean>>

export type ReceivedLog = {
  readonly attributes: Attributes
  readonly event: string
  readonly body: string
  readonly severity: number
  readonly time: string
  readonly traceId: string
  readonly spanId: string
}

export type ReceivedSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly start: string
  readonly end: string
  readonly status: number
  readonly attributes: Attributes
}

export type ReceivedPoint = {
  readonly metric: string
  readonly value: number
  readonly start: string
  readonly time: string
  readonly attributes: Attributes
  readonly isCumulative: boolean
}

/** A receiver of OTLP over HTTP. It decodes requests by the code that OpenTelemetry generated from its .proto files. */
export type OtlpReceiver = AsyncDisposable & {
  readonly url: string
  /** All that it has read, in order; what was sent twice is there twice. */
  readonly logs: ReceivedLog[]
  readonly spans: ReceivedSpan[]
  readonly points: ReceivedPoint[]
  readonly resources: Attributes[]
  readonly headers: IncomingMessage['headers'][]
  /** The uids of logs in requests whose answer did not arrive, once for each time. */
  readonly unanswered: string[]
  /** Says how the next requests are answered; null acknowledges. */
  fault: (signal: 'logs' | 'traces' | 'metrics', logs: readonly ReceivedLog[]) => OtlpFault | null
  /** Stops listening, and ends all connections. */
  stop(): Promise<void>
  /** Listens again, at the same address. */
  restart(): Promise<void>
}

/** Starts a receiver; with a key and a certificate, for HTTPS. */
export async function startOtlpReceiver(tls: { key: string; cert: string } | null = null): Promise<OtlpReceiver> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void receive(receiver, request, response)
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const receiver: OtlpReceiver = {
    ...{ logs: [], spans: [], points: [], resources: [], headers: [], unanswered: [], fault: () => null },
    ...{ url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, stop, restart: () => listen(port) },
    [Symbol.asyncDispose]: async () => (server.listening ? stop() : undefined),
  }
  return receiver
}

async function receive(receiver: OtlpReceiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const signal = request.url?.split('/').at(-1) as 'logs' | 'traces' | 'metrics'
  const sent = await buffer(request).catch(() => null)
  if (sent === null) return
  const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  receiver.headers.push(request.headers)
  const read = decode(signal, bytes)
  const fault = receiver.fault(signal, read.logs)
  if (fault === 'closed') return void request.socket.destroy()
  if (typeof fault === 'object' && fault !== null && 'status' in fault) {
    response.writeHead(fault.status, fault.headers).end()
    return
  }
  for (const it of read.logs) receiver.logs.push(it)
  for (const it of read.spans) receiver.spans.push(it)
  for (const it of read.points) receiver.points.push(it)
  for (const it of read.resources) receiver.resources.push(it)
  if (fault === 'lost' || fault === 'silent') {
    for (const it of read.logs) receiver.unanswered.push(String(it.attributes['log.record.uid']))
    if (fault === 'lost') request.socket.destroy()
    return
  }
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(encodeAnswer(signal, fault))
}

// Generated from the .proto files of OpenTelemetry, by OpenTelemetry: code that kotef does not send with.
type MessageType = {
  decode(bytes: Uint8Array): unknown
  toObject(message: unknown, options: object): object
  encode(value: object): { finish(): Uint8Array }
}
type Root = { opentelemetry: { proto: { collector: Record<string, { v1: Record<string, MessageType> }> } } }
const root = createRequire(import.meta.url)('otlp-decoder/build/src/generated/root.js') as Root
const NAMES = { logs: ['logs', 'Logs'], traces: ['trace', 'Trace'], metrics: ['metrics', 'Metrics'] } as const

function messageType(signal: keyof typeof NAMES, kind: 'Request' | 'Response'): MessageType {
  const [folder, name] = NAMES[signal]
  const type = root.opentelemetry.proto.collector[folder]?.v1[`Export${name}Service${kind}`]
  if (!type) throw new Error(`no type for ${signal}`)
  return type
}

function encodeAnswer(signal: keyof typeof NAMES, fault: OtlpFault | null): Uint8Array {
  const field = { logs: 'rejectedLogRecords', traces: 'rejectedSpans', metrics: 'rejectedDataPoints' }[signal]
  const isPartial = typeof fault === 'object' && fault !== null && 'rejected' in fault
  const partialSuccess = isPartial ? { [field]: fault.rejected, errorMessage: fault.message } : undefined
  return messageType(signal, 'Response')
    .encode(partialSuccess ? { partialSuccess } : {})
    .finish()
}

type Any = {
  readonly stringValue?: string
  readonly intValue?: string
  readonly boolValue?: boolean
  readonly doubleValue?: number
}
type KeyValue = { readonly key: string; readonly value: Any }
type Decoded = {
  readonly resourceLogs?: readonly {
    readonly resource: { readonly attributes: KeyValue[] }
    readonly scopeLogs: readonly { readonly logRecords: readonly RawLog[] }[]
  }[]
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[] }[]
  readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[] }[]
}
type RawLog = {
  readonly attributes?: KeyValue[]
  readonly eventName?: string
  readonly body?: Any
  readonly severityNumber?: number
  readonly timeUnixNano: string
  readonly traceId?: Uint8Array
  readonly spanId?: Uint8Array
}
type RawSpan = {
  readonly name: string
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly parentSpanId?: Uint8Array
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code?: number }
  readonly attributes?: KeyValue[]
}
type RawMetric = {
  readonly name: string
  readonly sum: {
    readonly aggregationTemporality: number
    readonly isMonotonic: boolean
    readonly dataPoints: readonly {
      readonly asInt: string
      readonly startTimeUnixNano: string
      readonly timeUnixNano: string
      readonly attributes?: KeyValue[]
    }[]
  }
}

function decode(signal: keyof typeof NAMES, bytes: Uint8Array) {
  const type = messageType(signal, 'Request')
  const request = type.toObject(type.decode(bytes), { longs: String }) as Decoded
  const logs = (request.resourceLogs ?? []).flatMap(it => it.scopeLogs.flatMap(of => of.logRecords))
  const spans = (request.resourceSpans ?? []).flatMap(it => it.scopeSpans.flatMap(of => of.spans))
  const metrics = (request.resourceMetrics ?? []).flatMap(it => it.scopeMetrics.flatMap(of => of.metrics))
  return {
    logs: logs.map(readLog),
    spans: spans.map(readSpan),
    points: metrics.flatMap(readPoints),
    resources: (request.resourceLogs ?? []).map(it => attributesIn(it.resource.attributes)),
  }
}

function readLog(log: RawLog): ReceivedLog {
  return {
    ...{ attributes: attributesIn(log.attributes), event: log.eventName ?? '', body: String(valueOf(log.body ?? {})) },
    ...{ severity: log.severityNumber ?? 0, time: log.timeUnixNano },
    ...{ traceId: hex(log.traceId), spanId: hex(log.spanId) },
  }
}

function readSpan(span: RawSpan): ReceivedSpan {
  return {
    ...{ name: span.name, traceId: hex(span.traceId), spanId: hex(span.spanId), parentId: hex(span.parentSpanId) },
    ...{ start: span.startTimeUnixNano, end: span.endTimeUnixNano, status: span.status?.code ?? 0 },
    attributes: attributesIn(span.attributes),
  }
}

function readPoints({ name, sum }: RawMetric): ReceivedPoint[] {
  return sum.dataPoints.map(it => ({
    ...{ metric: name, value: Number(it.asInt), start: it.startTimeUnixNano, time: it.timeUnixNano },
    ...{ attributes: attributesIn(it.attributes), isCumulative: sum.aggregationTemporality === 2 && sum.isMonotonic },
  }))
}

function attributesIn(pairs: readonly KeyValue[] = []): Attributes {
  return Object.fromEntries(pairs.map(it => [it.key, valueOf(it.value)]))
}

function valueOf({ stringValue, intValue, boolValue, doubleValue }: Any): string | number | boolean {
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue)
}

function hex(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('hex')
}
