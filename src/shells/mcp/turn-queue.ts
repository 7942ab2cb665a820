/** Runs the requests of a client one at a time, in the order in which they came. */
export type TurnQueue = {
  /** Runs a task as soon as those before it have ended. */
  readonly take: <T>(task: () => Promise<T>) => Promise<T>
  /** Within a task: waits for something outside, while later tasks run; then the task waits for another turn. */
  readonly leave: <T>(wait: () => Promise<T>) => Promise<T>
}

/** Where the requests come from. While many wait for their turn, no more are read. */
type PausableInput = { readonly pause: () => void; readonly resume: () => void }

/** The queue of a server whose requests come from `input`. */
export function turnQueue(input: PausableInput): TurnQueue {
  const waiting: (() => void)[] = []
  let isTaken = false
  const enter = async (): Promise<void> => {
    if (isTaken) {
      const turn = new Promise<void>(resolve => waiting.push(resolve))
      if (waiting.length === WAITING_MAX) input.pause()
      return turn
    }
    isTaken = true
  }
  const exit = (): void => {
    const next = waiting.shift()
    if (next === undefined) isTaken = false
    else next()
    if (waiting.length === WAITING_MAX - 1) input.resume()
  }
  return {
    take: async task => {
      await enter()
      return task().finally(exit)
    },
    leave: async wait => {
      exit()
      return wait().finally(enter)
    },
  }
}

// A client that sends one request after the other never waits for more; a block of input has some hundreds.
const WAITING_MAX = 64
