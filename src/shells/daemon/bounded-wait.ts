import { setTimeout as delay } from 'node:timers/promises'

/** Waits so many milliseconds at most. The timer must not keep a process alive that has been asked to stop. */
export function waitAtMost(ms: number): Promise<void> {
  return delay(Math.max(0, ms), undefined, { ref: false })
}

/** Waits for some work, so many milliseconds at most; true when it has ended. */
export function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), waitAtMost(ms).then(() => false)])
}
