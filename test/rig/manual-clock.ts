import type { Clock } from '../../src/world/io/process/clock.ts'
import { FIRST_SECOND } from './sealed-environment.ts'

/**
 * A clock that stands still until a test turns it; `set` is what a person does to it, and moves no ticks. Its ids are
 * counted: …-000000000001, …-000000000002.
 */
export type ManualClock = Clock & { advance(ms: number): void; set(ms: number): void }

/** Starts at 2026-01-01T00:00:00Z. The process id is a real one, for locks ask whether their holder lives. */
export function manualClock(startMs = FIRST_SECOND * 1000): ManualClock {
  let nowMs = startMs
  let ticks = 0
  let ids = 0
  return {
    now: () => nowMs,
    ticks: () => ticks,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` as const,
    host: 'rig',
    pid: process.pid,
    advance: ms => void ((nowMs += ms), (ticks += ms)),
    set: ms => void (nowMs = ms),
  }
}
