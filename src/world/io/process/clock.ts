import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Time and identity as an argument: tests set the clock and count the ids. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds of a clock that is never set back or forward, for measuring waits. */
  ticks(): number
  uuid(): string
  readonly host: string
  readonly pid: number
}

export const systemClock: Clock = {
  now: Date.now,
  ticks: () => performance.now(),
  uuid: randomUUID,
  get host() {
    return hostname()
  },
  pid: process.pid,
}
