import { copyFileSync, fstatSync, statSync, truncateSync } from 'node:fs'

/**
 * Limits the size of a log. When this process's stdout is the log, and it is full, its lines are moved to `<path>.1`,
 * which they replace. The log stays the same file, because it is open.
 */
export function rotateLog(path: string): void {
  try {
    const [log, output] = [statSync(path), fstatSync(STDOUT)]
    if (log.ino !== output.ino || log.dev !== output.dev || log.size < LOG_BYTES_MAX) return
    copyFileSync(path, `${path}.1`)
    truncateSync(path)
  } catch {
    // There is no log, or no space for a copy: then the log keeps growing.
  }
}

const STDOUT = 1

// The daemon logs only problems, so this is enough for weeks.
const LOG_BYTES_MAX = 1_048_576
