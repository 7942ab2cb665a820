/** Runs this before a signal ends the process; the answer takes it back. */
export function beforeSignal(cleanUp: () => void): () => void {
  if (waiting.size === 0) for (const it of ENDING) process.on(it, cleanUpAndEnd)
  waiting.add(cleanUp)
  return () => {
    waiting.delete(cleanUp)
    if (waiting.size === 0) for (const it of ENDING) process.off(it, cleanUpAndEnd)
  }
}

function cleanUpAndEnd(signal: NodeJS.Signals): void {
  for (const cleanUp of waiting) cleanUp()
  waiting.clear()
  for (const it of ENDING) process.off(it, cleanUpAndEnd)
  process.kill(process.pid, signal)
}

const waiting = new Set<() => void>()
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
