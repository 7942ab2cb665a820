import { KotefError } from '../../../core/base/failure.ts'
import { readLedger } from '../../../core/ledger/read-ledger.ts'
import type { ExportCursor, LedgerPosition } from '../records/export-cursor.ts'
import { type ExportPlan, planRecords } from '../records/export-state.ts'
import { nextBatchSize } from '../records/pace.ts'
import { printable } from '../../../core/base/printable.ts'
import { EXPORT_POLL_MS } from '../../../core/base/thresholds.ts'
import { type ExportCall, type ExportCounts, isOver, type Progress, startProgress } from './export-progress.ts'
import { planKeptSignals } from './kept-signals.ts'
import { ledgerFilesFrom, type LineBatch, lineReader } from './ledger-files.ts'
import { noteUnread, sendCounters, sendCountersInTime, sendLogs, sendSpans } from './send-signals.ts'

/**
 * Sends what the ledger has beyond the cursor, and then goes on with new records until it is stopped, if it is endless.
 * The cursor is saved after each acknowledged batch, so that only a batch whose answer was lost is sent again.
 */
export async function exportLedger(call: ExportCall): Promise<ExportCounts> {
  const { stop, pause, isEndless } = call.patience
  const progress = startProgress(call)
  await sendSpans(call, progress)
  do {
    await exportNew(call, progress)
    if (isEndless && !stop.aborted) await pause(EXPORT_POLL_MS, stop)
  } while (isEndless && !stop.aborted)
  await sendCounters(call, progress)
  return progress.counts
}

/** Everything that the ledger and the files beside it have by now. */
async function exportNew(call: ExportCall, progress: Progress): Promise<void> {
  const { workspace, patience } = call
  if ((await workspace.files.stat(workspace.gitDir)) === null)
    throw new KotefError('not-a-repo', `${workspace.gitDir} is gone, so there is nothing more to export.`)
  const { files, isKnown } = await ledgerFilesFrom(workspace, progress.cursor.ledger)
  if (!isKnown) patience.notify(OTHER_LEDGER)
  for (const { path, position } of files) {
    progress.cursor = { ...progress.cursor, ledger: position }
    const read = lineReader(workspace, path)
    while (!isOver(call, progress)) {
      const batch = await read(progress.cursor.ledger, progress.batchSize)
      if (!batch) break
      await exportBatch(call, progress, batch)
      await sendCountersInTime(call, progress)
    }
    if (isOver(call, progress)) return
  }
  if (progress.skippedInRow > 0) await call.store.save(progress.cursor)
  await exportKept(call, progress)
  await sendCountersInTime(call, progress)
}

const OTHER_LEDGER = 'The ledger is not the one that was exported before. Records that were exported are left out.'

async function exportBatch(call: ExportCall, progress: Progress, batch: LineBatch): Promise<void> {
  const { cursor, counts } = progress
  const { entries, problems } = readLedger(batch.text, cursor.ledger.line)
  const records = entries.map(it => it.record)
  const plan = planRecords(cursor.state, records, { paths: call.paths, since: cursor.since })
  const delivery = await sendLogs(call, progress, plan)
  if (delivery.outcome === 'stopped') return
  if (delivery.outcome === 'unreadable' && batch.lines > 1) {
    progress.batchSize = nextBatchSize(batch.lines, true)
    return
  }
  for (const it of problems) call.patience.notify(`${it.file}:${it.line}: expected ${it.expected}, found ${it.found}`)
  counts.damaged += problems.length
  if (delivery.outcome === 'unreadable') return skipRecord(call, progress, { plan, after: batch.after, why: delivery })
  progress.batchSize = nextBatchSize(progress.batchSize, false)
  if (plan.logs.length > 0) progress.skippedInRow = 0
  counts.records += plan.logs.length
  await acknowledge(call, progress, { plan, after: batch.after })
}

type Step = { readonly plan: ExportPlan; readonly after: LedgerPosition }

/** Passes over a record that the receiver can't read. The cursor is saved when the receiver has read another one. */
function skipRecord(
  { patience, endpoint }: ExportCall,
  progress: Progress,
  { plan, after, why }: Step & { readonly why: { readonly message: string } },
): void {
  const uids = plan.logs.map(it => it.uid).join(' ')
  progress.skippedInRow++
  if (progress.skippedInRow > SKIPPED_IN_ROW_MAX)
    throw new KotefError('export-failed', `${endpoint.shown} refuses one record after the other: ${why.message}`)
  patience.notify(`${endpoint.shown} can't read record ${printable(uids)}, which is skipped: ${why.message}`)
  progress.counts.skipped++
  progress.cursor = advanced(progress.cursor, { plan, after })
}

// More are not a matter of what is in them.
const SKIPPED_IN_ROW_MAX = 10

function advanced(cursor: ExportCursor, { plan, after }: Step): ExportCursor {
  return { ...cursor, ledger: after, state: plan.state, spans: [...cursor.spans, ...plan.spans] }
}

async function acknowledge(call: ExportCall, progress: Progress, step: Step): Promise<void> {
  progress.cursor = advanced(progress.cursor, step)
  await call.store.save(progress.cursor)
  await sendSpans(call, progress)
  call.onProgress(progress.counts)
}

/** The runs and refused writes. They are few, and no other process waits for their files. */
async function exportKept(call: ExportCall, progress: Progress): Promise<void> {
  const plan = await planKeptSignals(call.workspace, progress.cursor.state, call)
  if (plan.logs.length === 0 && plan.spans.length === 0) return
  const delivery = await sendLogs(call, progress, plan)
  if (delivery.outcome === 'stopped') return
  if (delivery.outcome === 'unreadable') noteUnread(call, progress, { items: plan.logs.length, why: delivery })
  await acknowledge(call, progress, { plan, after: progress.cursor.ledger })
}
