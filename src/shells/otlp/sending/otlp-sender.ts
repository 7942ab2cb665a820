import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { EXPORT_ANSWER_MS_MAX } from '../../../core/base/thresholds.ts'
import { type AnswerClues, answerOf, type ExportOutcome, type OtlpAnswer } from './otlp-answer.ts'
import { logValue, metricValues, type OtlpOrigin, otlpOrigin, spanValue } from './otlp-values.ts'
import type { OtlpSender, OtlpTarget, SignalUrls } from './otlp-target.ts'

// The only module that loads the libraries of OpenTelemetry: it is a bundle of its own, and opens connections to a
// network. Compression, headers, time limit and TLS come from the variables OTEL_EXPORTER_OTLP_*, which they read.

/** Opens the exporters for an endpoint. They connect when something is sent. One of them is in use at a time. */
export function openOtlpSender(target: OtlpTarget): OtlpSender {
  const clues: AnswerClues = { retryAfter: null, partialSuccess: null }
  const warnings: string[] = []
  listenToExporters(clues, warnings)
  const noteRetry = (it: unknown): void => void (clues.retryAfter = retryAfterIn(it))
  subscribe(RESPONSES, noteRetry)
  const origin = otlpOrigin(target)
  return {
    warnings,
    ...senders(target.urls, origin, clues),
    close() {
      unsubscribe(RESPONSES, noteRetry)
      diag.disable()
    },
  }
}

// Node publishes each answer here: the exporter does not pass the header on when it gives up.
const RESPONSES = 'http.client.response.finish'

function retryAfterIn(message: unknown): string | null {
  const { response } = message as { readonly response: IncomingMessage }
  return response.headers['retry-after'] ?? null
}

function senders(
  urls: SignalUrls,
  origin: OtlpOrigin,
  clues: AnswerClues,
): Pick<OtlpSender, 'logs' | 'spans' | 'metrics'> {
  const logs = new OTLPLogExporter(urlOption(urls.logs))
  const spans = new OTLPTraceExporter(urlOption(urls.spans))
  const metrics = new OTLPMetricExporter(urlOption(urls.metrics))
  return {
    logs: (values, now) =>
      send(clues, done =>
        logs.export(
          values.map(it => logValue(it, now, origin)),
          done,
        ),
      ),
    spans: values =>
      send(clues, done =>
        spans.export(
          values.map(it => spanValue(it, origin)),
          done,
        ),
      ),
    metrics: (values, times) => send(clues, done => metrics.export(metricValues(values, times, origin), done)),
  }
}

// Without a URL, the exporter takes it from the environment.
function urlOption(url: string | null): { url?: string } {
  return url === null ? {} : { url }
}

function send(clues: AnswerClues, run: (done: (outcome: ExportOutcome) => void) => void): Promise<OtlpAnswer> {
  clues.retryAfter = null
  clues.partialSuccess = null
  return new Promise(resolve => {
    const late: OtlpAnswer = { outcome: 'later', retryAfterMs: null, message: 'the answer never ends' }
    const timer = setTimeout(() => resolve(late), EXPORT_ANSWER_MS_MAX)
    run(outcome => {
      clearTimeout(timer)
      resolve(answerOf(outcome, clues, Date.now()))
    })
  })
}

// The exporters report a partial success, and settings that they can't use, as warnings and in no other way.
function listenToExporters(clues: AnswerClues, warnings: string[]): void {
  const warn = (message: string, ...details: unknown[]): void => {
    if (message.startsWith('Received Partial Success')) clues.partialSuccess = String(details[0])
    else warnings.push(message)
  }
  const ignore = (): void => {}
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
