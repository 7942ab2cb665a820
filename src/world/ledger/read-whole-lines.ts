import type { OpenFile } from '../io/files/files.ts'

// Agents' hooks load this file: it does not read what is in the lines.

/** Whole lines of a file from a byte on, at most so many bytes unless the first is longer; none without a line end. */
export async function readWholeLines(
  ledger: Pick<OpenFile, 'size' | 'read'>,
  from: number,
  { into, bytesMax = READ_BYTES }: { readonly into?: Buffer | undefined; readonly bytesMax?: number } = {},
): Promise<Buffer> {
  for (let length = bytesMax; ; length *= 4) {
    const bytes = await ledger.read(from, Math.min(from + length, ledger.size), into)
    const end = bytes.lastIndexOf(LF) + 1
    if (end > 0 || from + length >= ledger.size) return bytes.subarray(0, end)
  }
}

/** Some 20,000 records: large enough that the reads cost little, small enough for the memory. */
export const READ_BYTES = 16 * 2 ** 20
const LF = 0x0a
