import { parentPort, workerData } from 'node:worker_threads'
import { disk } from '../io/files/files.ts'
import type { CatalogueSegment } from '../../core/ledger/catalogue-segment.ts'
import { nextSegment } from './build-segments.ts'
import { type LedgerFile, openLedgerFile } from './open-ledger.ts'
import { onlyStretch, type Stretch } from './stretches.ts'

/** What a thread works on: it makes the segment of each stretch, as if the ledger had nothing else. */
export type StretchWork = LedgerFile & { readonly stretches: readonly Stretch[] }

/** What the thread reports: how far it has read a stretch, and the segment of its lines; null when there are none. */
export type StretchMessage =
  | { readonly type: 'read'; readonly from: number; readonly bytes: number }
  | { readonly type: 'made'; readonly from: number; readonly segment: CatalogueSegment | null }

void scanStretches(workerData as StretchWork)

async function scanStretches({ path, parts, stretches }: StretchWork): Promise<void> {
  await using ledger = await openLedgerFile(disk, { path, parts })
  if (!ledger) return
  for (const stretch of stretches) {
    const { from } = stretch
    const segment = await nextSegment(onlyStretch(ledger, stretch), [], bytes => report({ type: 'read', from, bytes }))
    report({ type: 'made', from, segment })
  }
}

function report(message: StretchMessage): void {
  parentPort?.postMessage(message)
}
