import { createHash } from 'node:crypto'
import { type LedgerReading, readLedger } from '../../core/ledger/read-ledger.ts'
import { openLedger } from './open-ledger.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { READ_BYTES, readWholeLines } from './read-whole-lines.ts'

/** A part of a ledger. */
export type LedgerStretch = LedgerReading & {
  /** The number of the ledger's lines up to its end. */
  readonly lines: number
  /** The byte at its end; null where the last line lacks its own end. */
  readonly end: number | null
  /** The bytes of the whole ledger. */
  readonly size: number
}

/** The lines before the first one that is read: their number, and the ids that they have. */
export type LinesBefore = { readonly lines: number; readonly ids: Set<string> }

/** This worktree's ledger from a byte on, in parts, because it may be larger than the memory. */
export async function* readLedgerInParts(
  workspace: Workspace,
  byte = 0,
  { lines, ids }: LinesBefore = { lines: 0, ids: new Set() },
): AsyncGenerator<LedgerStretch> {
  await using ledger = await openLedger(workspace)
  if (!ledger) return
  const { size } = ledger
  let at = byte
  let line = lines + 1
  while (at < size) {
    const whole = await readWholeLines(ledger, at)
    const bytes = whole.length > 0 ? whole : await ledger.read(at, size)
    if (bytes.length === 0) return
    const text = bytes.toString('utf8')
    at += bytes.length
    const first = line
    line += text.split('\n').length - 1
    yield { ...readLedger(text, first, ids), lines: line - 1, end: whole.length > 0 ? at : null, size }
  }
}

/** Hashes of this worktree's ledger, each of its bytes up to a place; the places in order. Null where it is shorter. */
export async function ledgerHashes(workspace: Workspace, places: readonly number[]): Promise<(string | null)[]> {
  await using ledger = await openLedger(workspace)
  const hash = createHash('sha256')
  const hashes: (string | null)[] = []
  let at = 0
  for (const place of places) {
    while (at < place) {
      const bytes = await ledger?.read(at, Math.min(place, at + READ_BYTES))
      if (!bytes || bytes.length === 0) break
      hash.update(bytes)
      at += bytes.length
    }
    hashes.push(at === place ? hash.copy().digest('hex') : null)
  }
  return hashes
}
