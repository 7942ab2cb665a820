/** Starts a timer, and returns what stops it. */
export type StartTimer = (run: () => void, ms: number) => () => void

/** Counts who uses a server. */
export type UsageCount = Disposable & {
  /** Counts a user until the result is called. */
  enter(): () => void
}

/** Calls `end` once nobody has used the server for some time. */
export function endWhenUnused(unusedMs: number, end: () => void, startTimer: StartTimer = systemTimer): UsageCount {
  let users = 0
  let stop = startTimer(end, unusedMs)
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
