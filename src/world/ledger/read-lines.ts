import type { OpenFile } from '../io/files/files.ts'
import type { LineSpan } from './segment-lines.ts'

/** The texts of lines, in their order. Lines that are close together are read at once. */
export async function* readLines(
  ledger: OpenFile,
  places: readonly LineSpan[],
): AsyncGenerator<{ line: number; text: string }> {
  for (let n = 0; n < places.length;) {
    const group = adjacentLines(places, n)
    const from = group[0]?.start ?? 0
    const to = group.at(-1)?.end ?? 0
    const bytes = await ledger.read(from, to)
    for (const { line, start, end } of group) {
      yield { line, text: bytes.toString('utf8', start - from, end - from) }
    }
    n += group.length
  }
}

function adjacentLines(places: readonly LineSpan[], first: number): LineSpan[] {
  const group: LineSpan[] = []
  for (let n = first; n < places.length; n++) {
    const place = places[n]
    const before = group.at(-1)
    const start = group[0]
    if (!place || (before && place.start - before.end > GAP_BYTES_MAX)) break
    if (start && place.end - start.start > GROUP_BYTES_MAX) break
    group.push(place)
  }
  return group
}

// Reading this much more is cheaper than another read.
const GAP_BYTES_MAX = 16_384
// Limits the memory of one read.
const GROUP_BYTES_MAX = 4 * 2 ** 20
