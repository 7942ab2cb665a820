import { createHash } from 'node:crypto'
import { locateLedger } from '../../../world/ledger/locate-ledger.ts'
import { ledgerFile, openLedgerFile } from '../../../world/ledger/open-ledger.ts'
import { readWholeLines } from '../../../world/ledger/read-whole-lines.ts'
import { LEDGER_START, type LedgerPosition } from '../records/export-cursor.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** A file with records, and where to go on in it. */
export type FileToExport = { readonly path: string; readonly position: LedgerPosition }

/**
 * The files to read from a position on, in order: the one that it is of, which may have been closed since, and those
 * after it. `isKnown` is false when it is of none: then the current ledger is read from its beginning.
 */
export async function ledgerFilesFrom(
  workspace: Workspace,
  position: LedgerPosition,
): Promise<{ readonly files: readonly FileToExport[]; readonly isKnown: boolean }> {
  const current = (await locateLedger(workspace)).path
  if (await isOf(workspace, position, current)) return { files: [{ path: current, position }], isKnown: true }
  const closed = await closedLedgers(workspace)
  for (const path of closed.toReversed()) {
    if (!(await isOf(workspace, position, path))) continue
    const later = [...closed.slice(closed.indexOf(path) + 1), current]
    return { files: [{ path, position }, ...later.map(it => ({ path: it, position: LEDGER_START }))], isKnown: true }
  }
  return { files: [{ path: current, position: LEDGER_START }], isKnown: false }
}

// The names have the time of their closing.
async function closedLedgers({ gitDir, files }: Workspace): Promise<string[]> {
  const names = (await files.list(ownPath({ gitDir }))).filter(it => /^agent_trace\.[\dTZ]+\.jsonl$/.test(it))
  return names.sort().map(it => ownPath({ gitDir }, it))
}

async function isOf(workspace: Workspace, { byte, last }: LedgerPosition, path: string): Promise<boolean> {
  if (last === null) return byte === 0
  await using ledger = await openLedgerFile(workspace.files, ledgerFile(workspace, path))
  const line = await ledger?.read(byte - last.bytes, byte)
  return line?.length === last.bytes && hashOf(line) === last.sha256
}

/** Some lines of a ledger, and the position after them. */
export type LineBatch = { readonly text: string; readonly lines: number; readonly after: LedgerPosition }

/** Reads lines of one file, a batch at a time; null at its end. A last line without its end is not read. */
export function lineReader(workspace: Workspace, path: string) {
  let from = 0
  let whole: Buffer = Buffer.alloc(0)
  return async ({ byte, line }: LedgerPosition, linesMax: number): Promise<LineBatch | null> => {
    if (byte < from || byte >= from + whole.length) {
      await using ledger = await openLedgerFile(workspace.files, ledgerFile(workspace, path))
      whole = ledger ? await readWholeLines(ledger, byte) : Buffer.alloc(0)
      from = byte
    }
    const begin = byte - from
    const { end, lastBegin, lines } = cutLines(whole, begin, linesMax)
    if (lines === 0) return null
    const last = { bytes: end - lastBegin, sha256: hashOf(whole.subarray(lastBegin, end)) }
    const after = { byte: from + end, line: line + lines, last }
    return { text: whole.toString('utf8', begin, end), lines, after }
  }
}

function cutLines(whole: Buffer, begin: number, linesMax: number) {
  let end = begin
  let lastBegin = begin
  let lines = 0
  while (lines < linesMax && end - begin < BATCH_BYTES_MAX) {
    const next = whole.indexOf(LF, end) + 1
    if (next === 0) break
    lastBegin = end
    end = next
    lines++
  }
  return { end, lastBegin, lines }
}

const LF = 0x0a
// Limits the size of a request: what is sent of a record is smaller than its line.
const BATCH_BYTES_MAX = 1_048_576

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
