/** How often to compare with git what nobody told of. */
export type ReconcileTimer = Disposable & {
  runNow(): void
  /** Events are known to be missing: compare often. */
  setDegraded(hurried: boolean): void
}

/**
 * Compares when asked to, and otherwise at long intervals: longer ones where it takes long, so that it never costs more
 * than a small part of a core.
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
    setDegraded(anew) {
      if (anew === isDegraded) return
      isDegraded = anew
      wait()
    },
    [Symbol.dispose]() {
      isClosed = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** How long to leave git alone, by how long it took the last time. */
export function pauseMs({ isDegraded, tookMs }: { isDegraded: boolean; tookMs: number }): number {
  return isDegraded ? Math.max(DEGRADED_PAUSE_MS, tookMs * 10) : Math.max(IDLE_PAUSE_MS, tookMs * 600)
}

const IDLE_PAUSE_MS = 60_000
const DEGRADED_PAUSE_MS = 2_000

/** Work that is never done twice at the same time: asked for meanwhile, it is done once more. */
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
