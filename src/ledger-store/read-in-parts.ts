import { type LedgerReading, readLedger } from '../ledger/read-ledger.ts'
import { locateLedger } from './locate-ledger.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { readWholeLines } from './read-whole-lines.ts'

/** This worktree's ledger from a byte on, in parts, because it may be larger than the memory. */
export async function* readLedgerInParts(workspace: Workspace, byte = 0): AsyncGenerator<LedgerReading> {
  const { files } = workspace
  const { path } = await locateLedger(workspace)
  const size = (await files.readEnd(path, 0))?.size ?? 0
  const read = (from: number, to: number): Promise<Buffer> => files.readAt(path, from, to)
  const knownIds = new Set<string>()
  let [at, line] = [byte, 1]
  while (at < size) {
    const whole = await readWholeLines({ size, read }, at)
    // The last line may lack its end.
    const bytes = whole.length > 0 ? whole : await read(at, size)
    if (bytes.length === 0) return
    const text = bytes.toString('utf8')
    yield readLedger(text, line, knownIds)
    at += bytes.length
    line += text.split('\n').length - 1
  }
}
