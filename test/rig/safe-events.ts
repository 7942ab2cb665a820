// Events of runs as they are stored.

import { published, type SafeText } from '../../src/core/outgoing/safe-text.ts'
import { applyEvent } from '../../src/core/runs/apply-event.ts'
import type { RunEvent } from '../../src/core/runs/event.ts'
import type { RunState } from '../../src/core/runs/run-state.ts'
import { safeEvent, type SafeEvent, type SafetyTerms } from '../../src/core/runs/safe-event.ts'

/** An event as a run stores it, with a salt of the tests. */
export function safely<K extends RunEvent['kind']>(
  event: Extract<RunEvent, { kind: K }>,
  more: Partial<SafetyTerms> = {},
): Extract<SafeEvent, { kind: K }> {
  return safeEvent(event, { salt: 'salt', published: [], ...more }) as Extract<SafeEvent, { kind: K }>
}

/** The state of a run after some more events. */
export function foldRun(state: RunState, events: Iterable<RunEvent>): RunState {
  const next = structuredClone(state)
  for (const event of events) {
    const known = safeEvent(event, { salt: 'salt', published: state.terms.checks })
    // An event of an unknown kind changes nothing.
    if (known) applyEvent(next, known)
  }
  return next
}

/** A run's terms, with the ids of its checks. */
export function runTerms(checks: readonly string[], appetite: RunState['terms']['appetite'] = null): RunState['terms'] {
  return { checks: checks.map(published), appetite }
}

/** A text as if it may leave. */
export const text = (it: string): SafeText => published(it)
