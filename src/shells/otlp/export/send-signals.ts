import type { ExportPlan } from '../records/export-state.ts'
import { metricsOf } from '../records/counters.ts'
import type { TelemetrySpan } from '../records/signals.ts'
import { printable } from '../../../core/base/printable.ts'
import { EXPORT_METRICS_MS } from '../../../core/base/thresholds.ts'
import { deliver, type Delivery } from './deliver.ts'
import { type ExportCall, isOver, type Progress } from './export-progress.ts'

/** Sends the logs of a plan. Without any, they are as good as acknowledged. */
export async function sendLogs(call: ExportCall, progress: Progress, { logs }: ExportPlan): Promise<Delivery> {
  const { sender, endpoint, workspace } = call
  if (logs.length === 0 || !endpoint.signals.logs) return NOTHING_SENT
  return noted(call, progress, () => sender.logs(logs, workspace.clock.now()))
}

const NOTHING_SENT: Delivery = { outcome: 'acknowledged', rejected: 0, message: null }

/** Delivers something, and keeps what the receiver says of it. */
async function noted(call: ExportCall, progress: Progress, ask: Parameters<typeof deliver>[0]): Promise<Delivery> {
  const { patience, endpoint } = call
  const delivery = await deliver(ask, patience)
  if (delivery.outcome === 'stopped') progress.isStopped = true
  if (delivery.outcome !== 'acknowledged') return delivery
  const { rejected, message } = delivery
  progress.counts.rejected += rejected
  const why = message === null ? '' : `: ${printable(message)}`
  if (rejected > 0) patience.notify(`${endpoint.shown} rejected ${rejected} of the items in a request${why}`)
  else if (message !== null) patience.notify(`${endpoint.shown} warns${why}`)
  return delivery
}

/** Sends the spans that wait; one by one when the receiver can't read all of them at once. */
export async function sendSpans(call: ExportCall, progress: Progress): Promise<void> {
  const { spans } = progress.cursor
  if (spans.length === 0) return
  const isOn = call.endpoint.signals.spans
  const unread = isOn ? await sendReadableSpans(call, progress, spans) : 0
  if (unread === null) return
  if (isOn) progress.counts.spans += spans.length - unread
  progress.cursor = { ...progress.cursor, spans: [] }
  await call.store.save(progress.cursor)
}

/** How many of these the receiver could not read; null when the export was stopped. */
async function sendReadableSpans(
  call: ExportCall,
  progress: Progress,
  spans: readonly TelemetrySpan[],
): Promise<number | null> {
  const delivery = await noted(call, progress, () => call.sender.spans(spans))
  if (delivery.outcome === 'stopped') return null
  if (delivery.outcome === 'acknowledged') return 0
  if (spans.length === 1) {
    noteUnread(call, progress, { items: 1, why: delivery })
    return 1
  }
  let unread = 0
  for (const it of spans) {
    const one = await sendReadableSpans(call, progress, [it])
    if (one === null) return null
    unread += one
  }
  return unread
}

/** Sends the counters when the time for them has come. */
export async function sendCountersInTime(call: ExportCall, progress: Progress): Promise<void> {
  const passed = call.workspace.clock.ticks() - progress.counted.ticks
  if (passed >= EXPORT_METRICS_MS && !isOver(call, progress)) await sendCounters(call, progress)
}

/** Sends the counters, unless they are as they were. What a receiver misses of them is in the next ones. */
export async function sendCounters(call: ExportCall, progress: Progress): Promise<void> {
  const { sender, endpoint, workspace } = call
  const { state, startedAt } = progress.cursor
  if (progress.isStopped || !endpoint.signals.metrics || progress.counted.counters === state.counters) return
  const metrics = metricsOf(state.counters)
  progress.counted = { ticks: workspace.clock.ticks(), counters: state.counters }
  if (metrics.length === 0) return
  const times = { startedAt, now: workspace.clock.now() }
  const delivery = await noted(call, progress, () => sender.metrics(metrics, times))
  if (delivery.outcome === 'acknowledged') progress.counts.points = metrics.flatMap(it => it.points).length
  if (delivery.outcome === 'unreadable') call.patience.notify(`${endpoint.shown} can't read the counters.`)
}

/** Says that some spans or refused writes could not be read. */
export function noteUnread(
  { patience, endpoint }: ExportCall,
  { counts }: Progress,
  { items, why }: { readonly items: number; readonly why: { readonly message: string } },
): void {
  counts.skipped += items
  patience.notify(
    `${endpoint.shown} can't read ${items} of the spans and refused writes, which are skipped: ${why.message}`,
  )
}
