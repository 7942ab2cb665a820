import type { SafeText } from '../outgoing/safe-text.ts'
import { isSame } from './apply-call.ts'
import type { Call } from './run-state.ts'

/** The calls of a cycle of two to five calls with which the list ends, repeated so often; null without one. */
export function cycleIn(calls: readonly Call[], repeats: number): readonly SafeText[] | null {
  for (let period = 2; period <= PERIOD_MAX && repeats > 0; period++) {
    const last = calls.slice(-period * repeats)
    const first = last[0]
    if (last.length < period * repeats || !first) return null
    // The same call over and over is not a cycle: another rule counts it.
    if (last.every(it => isSame(it, first))) return null
    if (last.every((it, n) => n < period || isSame(it, last[n - period] ?? it))) {
      return last.slice(0, period).map(it => it.what)
    }
  }
  return null
}

const PERIOD_MAX = 5
