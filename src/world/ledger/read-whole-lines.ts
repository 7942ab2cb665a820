import type { RandomAccessFile } from '../io/files/random-access-file.ts'

// Agents' hooks load this file: it does not read what is in the lines.

/** Whole lines of a file from a byte on, about 16 MB of them; none when the rest has no line end. */
export async function readWholeLines(
  ledger: Pick<RandomAccessFile, 'size' | 'read'>,
  from: number,
  into?: Buffer,
): Promise<Buffer> {
  for (let length = READ_BYTES; ; length *= 4) {
    const bytes = await ledger.read(from, Math.min(from + length, ledger.size), into)
    const end = bytes.lastIndexOf(LF) + 1
    if (end > 0 || from + length >= ledger.size) return bytes.subarray(0, end)
  }
}

/** Some 20,000 records: large enough that the reads cost little, small enough for the memory. */
export const READ_BYTES = 16 * 2 ** 20
const LF = 0x0a
