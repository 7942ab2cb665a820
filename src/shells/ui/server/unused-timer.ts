/** Starts a timer, and returns what stops it. */
export type StartTimer = (run: () => void, ms: number) => () => void

/** Counts who uses a server. */
export type UsageCount = Disposable & {
  /** Counts a user until the result is called. */
  enter(): () => void
}

/** How long a server waits for its first client, and after its last one for another. */
export type UnusedTimes = { readonly firstMs: number; readonly unusedMs: number }

/** Calls `end` once nobody has used the server for some time. */
export function endWhenUnused(
  { firstMs, unusedMs }: UnusedTimes,
  end: () => void,
  startTimer: StartTimer = systemTimer,
): UsageCount {
  let users = 0
  let stop = startTimer(end, firstMs)
  return {
    enter() {
      stop()
      users++
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        users--
        if (users === 0) stop = startTimer(end, unusedMs)
      }
    },
    [Symbol.dispose]: () => stop(),
  }
}

const systemTimer: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
