import { pauseUnlessStopped } from '../../otlp/export/deliver.ts'
import { cursorStore, newCursor, whileExporting } from '../../otlp/export/cursor-store.ts'
import { exportEndpoint, type ExportEndpoint, otlpTarget } from '../../otlp/export/endpoint.ts'
import { exportLedger } from '../../otlp/export/export-ledger.ts'
import type { ExportCounts } from '../../otlp/export/export-progress.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { plural } from '../../../core/base/printable.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { sinceOption } from '../since-option.ts'
import { type RunVerb, textOption, type VerbCall } from '../verb.ts'

/** `kotef export otlp`: sends the ledger to a receiver of OpenTelemetry, from where the last export stopped. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const endpoint = exportEndpoint(textOption(call, 'endpoint'), call.env)
  warnOfOtherProtocol(call)
  const counts = await whileExporting(workspace, endpoint, () => exportHere(workspace, endpoint, call))
  return outputOf(counts, endpoint)
}

async function exportHere(workspace: Workspace, endpoint: ExportEndpoint, call: VerbCall): Promise<ExportCounts> {
  const { options, notify, onStarted } = call
  const store = cursorStore(workspace, endpoint)
  const since = await sinceOption(workspace.git, call)
  const saved = await store.load()
  if (saved && since !== null)
    notify('An earlier export has begun here: kotef goes on where it stopped, without --since.')
  const cursor = saved ?? newCursor(workspace, since)
  const { openOtlpSender } = await import('../../otlp/sending/otlp-sender.ts')
  const sender = openOtlpSender(await otlpTarget(workspace, endpoint, cursor.id))
  for (const it of sender.warnings) notify(`OpenTelemetry: ${it}`)
  const isEndless = options['follow'] === true
  const patience = { shown: endpoint.shown, isEndless, stop: stopSignal(), pause: pauseUnlessStopped, notify }
  if (isEndless) onStarted()
  const parts = { workspace, endpoint, store, cursor, sender, patience }
  return exportLedger({ ...parts, paths: options['paths'] !== false, onProgress: progressPrinter(call) })
}

// The batch that is under way is ended first. A second signal ends the process at once.
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** Prints a line for each batch while the ledger is followed; a program reads them as JSON. */
function progressPrinter({ options, print }: VerbCall): (counts: ExportCounts) => void {
  return counts => {
    if (options['follow'])
      print(options['json'] ? JSON.stringify(counts) : `Exported ${plural(counts.records, 'record')}.`)
  }
}

function warnOfOtherProtocol({ env, notify }: VerbCall): void {
  const protocol = env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/protobuf'
  if (protocol !== 'http/protobuf') notify(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but kotef sends http/protobuf.`)
}

function outputOf(counts: ExportCounts, { shown }: ExportEndpoint): VerbOutput {
  const { records, spans, points, skipped, rejected, damaged } = counts
  const problems = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(damaged > 0 ? [`${plural(damaged, 'damaged line')} left out`] : []),
  ]
  const sent = `${plural(records, 'record')}, ${plural(spans, 'span')}, ${plural(points, 'counter')}`
  const text = `Exported to ${shown}: ${[sent, ...problems].join('; ')}.`
  return { text, json: { endpoint: shown, ...counts }, exit: skipped + rejected > 0 ? 1 : 0 }
}
