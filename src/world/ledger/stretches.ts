import { availableParallelism } from 'node:os'
import type { OpenFile } from '../io/files/files.ts'
import { SEGMENT_LINES_MAX } from './build-segments.ts'

/** Whole lines of the ledger: its bytes from one offset up to another. */
export type Stretch = { readonly from: number; readonly to: number }

/** Stretches of a segment's size or less, and the number of threads to scan them: none for a short ledger. */
export async function stretchesAfter(
  ledger: OpenFile,
  from: number,
): Promise<{ readonly stretches: readonly Stretch[]; readonly threads: number }> {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  const bytes = ledger.size - from
  if (bytes < SIDE_BY_SIDE_BYTES_MIN || threads < 2) return { stretches: [], threads: 0 }
  const lineBytes = await meanLineBytes(ledger, from)
  const rounds = Math.ceil(bytes / (lineBytes * SEGMENT_LINES_MAX * FULLNESS * threads))
  return { stretches: await cutInto(ledger, from, rounds * threads), threads }
}

const THREADS_MAX = 4
// To begin the threads takes as long as to scan 20 MB.
const SIDE_BY_SIDE_BYTES_MIN = 64 * 2 ** 20
// Lines differ in length: a stretch of more lines than a segment has room for leaves a small segment behind it.
const FULLNESS = 0.9

/** The ledger, as if it began and ended with a stretch. */
export function onlyStretch(ledger: OpenFile, { from, to }: Stretch): Pick<OpenFile, 'size' | 'read'> {
  const end = Math.min(to, ledger.size)
  return {
    size: end - from,
    read: (first, last, into) => ledger.read(from + first, Math.min(from + last, end), into),
  }
}

async function meanLineBytes(ledger: OpenFile, from: number): Promise<number> {
  const sample = await ledger.read(from, from + SAMPLE_BYTES)
  let lines = 1
  for (let at = sample.indexOf(LF); at >= 0; at = sample.indexOf(LF, at + 1)) lines++
  return sample.length / lines
}

const SAMPLE_BYTES = 2 ** 20

async function cutInto(ledger: OpenFile, from: number, count: number): Promise<Stretch[]> {
  const stretches: Stretch[] = []
  let begin = from
  for (let n = 1; n <= count && begin < ledger.size; n++) {
    const wanted = from + Math.floor(((ledger.size - from) * n) / count)
    const to = wanted <= begin ? begin : await lineEndAfter(ledger, wanted)
    if (to > begin) stretches.push({ from: begin, to })
    begin = to
  }
  return stretches
}

/** Where the line ends that a byte is in; the end of the ledger when it has no end. */
async function lineEndAfter(ledger: OpenFile, at: number): Promise<number> {
  for (let from = at - 1; from < ledger.size; from += CHUNK_BYTES) {
    const end = (await ledger.read(from, from + CHUNK_BYTES)).indexOf(LF)
    if (end >= 0) return from + end + 1
  }
  return ledger.size
}

const CHUNK_BYTES = 65_536
const LF = 0x0a
