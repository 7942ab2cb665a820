import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Time and identity, as an argument: tests turn the clock by hand and count the ids. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment, which nobody sets back or forward: for waiting. */
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
