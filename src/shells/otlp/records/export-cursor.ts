import { objectOrNull, parseObject } from '../../../core/base/payload.ts'
import { EMPTY_STATE, type ExportState } from './export-state.ts'
import type { TelemetrySpan } from './signals.ts'

/** The end of what was exported of a ledger: where the next line begins, and the line before it. */
export type LedgerPosition = {
  readonly byte: number
  /** The number of the next line, 1-based. */
  readonly line: number
  /** The length in bytes and the SHA-256 of the line before; null at the beginning of a ledger. */
  readonly last: { readonly bytes: number; readonly sha256: string } | null
}

/** How far the export to one endpoint has come. It is saved after each answer of the receiver. */
export type ExportCursor = {
  readonly version: 1
  /** The id under which the receiver knows this export. */
  readonly id: string
  /** When counting began, in milliseconds since 1970. */
  readonly startedAt: number
  /** Earlier records are not exported. */
  readonly since: number | null
  readonly ledger: LedgerPosition
  readonly state: ExportState
  /** Spans of records before the cursor that the receiver has not acknowledged. */
  readonly spans: readonly TelemetrySpan[]
}

/** The beginning of a ledger. */
export const LEDGER_START: LedgerPosition = { byte: 0, line: 1, last: null }

/** The cursor of an export that begins now. */
export function freshCursor({ id, now, since }: { id: string; now: number; since: number | null }): ExportCursor {
  return { version: 1, id, startedAt: now, since, ledger: LEDGER_START, state: EMPTY_STATE, spans: [] }
}

/** A saved cursor; null when it is damaged or of another version. */
export function readExportCursor(text: string): ExportCursor | null {
  const saved = parseObject(text)
  const { version, id, startedAt, since, spans } = saved ?? {}
  const isWhole = version === 1 && typeof id === 'string' && isNumber(startedAt) && (since === null || isNumber(since))
  const isKnown = isPosition(saved?.['ledger']) && isState(saved?.['state']) && Array.isArray(spans)
  return isWhole && isKnown ? (saved as unknown as ExportCursor) : null
}

function isPosition(value: unknown): boolean {
  const { byte, line, last } = objectOrNull(value) ?? {}
  const { bytes, sha256 } = objectOrNull(last) ?? {}
  return isNumber(byte) && isNumber(line) && (last === null || (isNumber(bytes) && typeof sha256 === 'string'))
}

function isState(value: unknown): boolean {
  const state = objectOrNull(value)
  const maps = ['writers', 'sessions', 'counters', 'runs'].map(it => objectOrNull(state?.[it]))
  return maps.every(it => it !== null) && Array.isArray(state?.['refusals'])
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}
