import { copyFileSync, fstatSync, statSync, truncateSync } from 'node:fs'

/**
 * Keeps a log from growing without end: when this process writes to it, and it is full, its lines move to `<path>.1`,
 * in place of those that moved there before. The log itself stays the same file, for it is open at its end.
 */
export function rotateLog(path: string): void {
  try {
    const [log, output] = [statSync(path), fstatSync(STDOUT)]
    if (log.ino !== output.ino || log.dev !== output.dev || log.size < LOG_BYTES_MAX) return
    copyFileSync(path, `${path}.1`)
    truncateSync(path)
  } catch {
    // There is no log, or no room for a second one: then this one goes on.
  }
}

const STDOUT = 1
const LOG_BYTES_MAX = 1_048_576
