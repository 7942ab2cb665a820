import { setFlagsFromString } from 'node:v8'

let isKept: boolean | null = null

/**
 * Lets V8 keep the heap small, or not during a burst of changes. The daemon runs all day, so it should use little
 * memory: without the flag, V8 collects garbage from 50 MB on. With it, a burst spends half of its time on that (18 of
 * 38 s for 100,000 files that are removed), because what it keeps is looked at again and again. In a burst the heap
 * may become twice as large as what it keeps, before that is looked at; by itself V8 lets it become four times as
 * large. V8 rejects all cached code after the first call.
 */
export function keepHeapSmall(isSmall: boolean): void {
  if (isKept === isSmall) return
  setFlagsFromString(isSmall ? '--optimize-for-size' : '--no-optimize-for-size')
  setFlagsFromString(`--heap-growing-percent=${isSmall ? BY_ITSELF : BURST_PERCENT}`)
  isKept = isSmall
}

const BURST_PERCENT = 100
// V8 finds a percentage, by how much a collection brings.
const BY_ITSELF = 0

/** As `keepHeapSmall`, by the number of paths that wait, once that is in force at all. */
export function fitHeapTo(paths: number): void {
  if (isKept !== null) keepHeapSmall(paths < BURST_PATHS)
}

// Fewer paths are recorded soon enough by a small heap as well.
const BURST_PATHS = 10_000
