/** Decides when to compare the worktree with git, to find changes without an event. */
export type ReconcileTimer = Disposable & {
  runNow(): void
  /** While events are known to be missing, comparisons are frequent. */
  setDegraded(degraded: boolean): void
}

/**
 * Compares on demand, and otherwise at long intervals, which grow with the time that a comparison takes: it never
 * costs more than a small part of a core.
 */
export function startReconcileTimer(compare: () => Promise<void>): ReconcileTimer {
  let isDegraded = false
  let tookMs = 0
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  const wait = (): void => {
    if (timer) clearTimeout(timer)
    if (!isClosed) timer = setTimeout(runNow, pauseMs({ isDegraded, tookMs })).unref()
  }
  const run = coalesce(async () => {
    const began = performance.now()
    if (!isClosed) await compare()
    tookMs = performance.now() - began
    wait()
  })
  const runNow = (): void => void run()
  wait()
  return {
    runNow,
    setDegraded(degraded) {
      if (degraded === isDegraded) return
      isDegraded = degraded
      wait()
    },
    [Symbol.dispose]() {
      isClosed = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** The pause before the next comparison, by the time that the last one took. */
export function pauseMs({ isDegraded, tookMs }: { isDegraded: boolean; tookMs: number }): number {
  return isDegraded ? Math.max(DEGRADED_PAUSE_MS, tookMs * 10) : Math.max(IDLE_PAUSE_MS, tookMs * 600)
}

// Comparisons take at most 1/600 of a core, and a tenth of one while events are missing.
const IDLE_PAUSE_MS = 60_000
const DEGRADED_PAUSE_MS = 2_000

/** Wraps work so that it never runs twice at the same time. Calls during a run share one more run after it. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => (running = work().finally(() => (running = null)))
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
