/** How often to compare with git what nobody told of. */
export type Rhythm = Disposable & {
  now(): void
  /** Events are known to be missing: compare often. */
  hurry(hurried: boolean): void
}

/**
 * Compares when asked to, and otherwise at long intervals: longer ones where it takes long, so that it never costs more
 * than a small part of a core.
 */
export function rhythmOf(compare: () => Promise<void>): Rhythm {
  let hurried = false
  let tookMs = 0
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const wait = (): void => {
    if (timer) clearTimeout(timer)
    if (!closed) timer = setTimeout(now, pauseMs({ hurried, tookMs })).unref()
  }
  const run = oneAtATime(async () => {
    const began = performance.now()
    if (!closed) await compare()
    tookMs = performance.now() - began
    wait()
  })
  const now = (): void => void run()
  wait()
  return {
    now,
    hurry(anew) {
      if (anew === hurried) return
      hurried = anew
      wait()
    },
    [Symbol.dispose]() {
      closed = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** How long to leave git alone, by how long it took the last time. */
export function pauseMs({ hurried, tookMs }: { hurried: boolean; tookMs: number }): number {
  return hurried ? Math.max(HURRIED_MS, tookMs * 10) : Math.max(IDLE_MS, tookMs * 600)
}

const IDLE_MS = 60_000
const HURRIED_MS = 2_000

/** Work that is never done twice at the same time: asked for meanwhile, it is done once more. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
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
