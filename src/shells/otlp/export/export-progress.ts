import type { OtlpSender } from '../sending/otlp-target.ts'
import type { ExportCursor } from '../records/export-cursor.ts'
import { BATCH_RECORDS_MAX } from '../records/pace.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { CursorStore } from './cursor-store.ts'
import type { ExportPatience } from './deliver.ts'
import type { ExportEndpoint } from './endpoint.ts'

/** What an export is made of. */
export type ExportCall = {
  readonly workspace: Workspace
  readonly endpoint: ExportEndpoint
  readonly store: CursorStore
  readonly cursor: ExportCursor
  readonly sender: OtlpSender
  readonly patience: ExportPatience
  readonly paths: boolean
  /** Called after each batch that the receiver has acknowledged. */
  readonly onProgress: (counts: ExportCounts) => void
}

/** What this export has sent. */
export type ExportCounts = {
  /** Records that the receiver has. */
  records: number
  spans: number
  /** Values of counters in the last request for them. */
  points: number
  /** Records and spans that the receiver could not read. */
  skipped: number
  /** Items that the receiver has rejected of requests that it acknowledged. */
  rejected: number
  /** Lines of the ledger that are no records. */
  damaged: number
}

/** How far an export has come. */
export type Progress = {
  cursor: ExportCursor
  batchSize: number
  /** The records in a row that the receiver could not read. */
  skippedInRow: number
  /** When the counters were sent, on the clock's ticks, and those that were. */
  counted: { readonly ticks: number; readonly counters: object | null }
  isStopped: boolean
  readonly counts: ExportCounts
}

/** The progress of an export that begins at its cursor. */
export function startProgress({ cursor, workspace }: ExportCall): Progress {
  return {
    cursor,
    batchSize: BATCH_RECORDS_MAX,
    skippedInRow: 0,
    isStopped: false,
    counted: { ticks: workspace.clock.ticks(), counters: null },
    counts: { records: 0, spans: 0, points: 0, skipped: 0, rejected: 0, damaged: 0 },
  }
}

/** True when nothing more is to be sent. */
export function isOver({ patience }: ExportCall, { isStopped }: Progress): boolean {
  return isStopped || patience.stop.aborted
}
