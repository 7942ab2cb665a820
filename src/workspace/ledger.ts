import { type Reading, readLedger } from '../ledger/read.ts'
import { wholeLines } from './whole-lines.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** This worktree's ledger from a byte on, a stretch at a time: it may be larger than what memory holds. */
export async function* readings({ files, ...workspace }: Workspace, byte = 0): AsyncGenerator<Reading> {
  const path = placesOf(workspace).ledger
  const size = (await files.readEnd(path, 0))?.size ?? 0
  const read = (from: number, to: number): Promise<Buffer> => files.readAt(path, from, to)
  const seen = new Set<string>()
  let [at, line] = [byte, 1]
  while (at < size) {
    const whole = await wholeLines({ size, read }, at)
    // The last line may not have come to its end.
    const bytes = whole.length > 0 ? whole : await read(at, size)
    if (bytes.length === 0) return
    const text = bytes.toString('utf8')
    yield readLedger(text, line, seen)
    at += bytes.length
    line += text.split('\n').length - 1
  }
}
