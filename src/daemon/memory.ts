import { setFlagsFromString } from 'node:v8'

let isKept: boolean | null = null

/**
 * Lets V8 keep the heap small, or not during a burst of changes. The daemon runs all day, so it should use little
 * memory: without the flag, V8 collects garbage from 50 MB on. With it, a burst spends up to 40 % of its time on that
 * (10 of 26 s for 100,000 files that are removed). V8 rejects all cached code after the first call.
 */
export function keepHeapSmall(isSmall: boolean): void {
  if (isKept !== isSmall) setFlagsFromString(isSmall ? '--optimize-for-size' : '--no-optimize-for-size')
  isKept = isSmall
}

/** As `keepHeapSmall`, by the number of paths that wait and the memory in use, once that is in force at all. */
export function fitHeapTo(paths: number): void {
  if (isKept !== null) keepHeapSmall(paths < BURST_PATHS || process.memoryUsage.rss() > BURST_BYTES_MAX)
}

// Fewer paths are recorded soon enough by a small heap as well.
const BURST_PATHS = 10_000
const BURST_BYTES_MAX = 200_000_000
