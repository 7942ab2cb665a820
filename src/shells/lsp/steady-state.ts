import { setTimeout as waitFor } from 'node:timers/promises'
import { type GovernedState, failureKey } from './governed-state.ts'

/**
 * The state of a worktree as `read` answers it, where a failure counts when it is read twice: a file that is being
 * written is empty, or ends early, for a moment. Of one that fails otherwise each time, the tenth reading counts.
 * `read` gets the state from before; `pause` lets a write end.
 */
export async function steadyState(
  read: (before: GovernedState) => Promise<GovernedState>,
  before: GovernedState,
  pause: () => Promise<void> = writeToEnd,
): Promise<GovernedState> {
  let last = before
  let state = await read(before)
  for (let reads = 1; reads < READS_MAX && isNewFailure(state, last); reads++) {
    await pause()
    ;[last, state] = [state, await read(state)]
  }
  return state
}

function isNewFailure(state: GovernedState, before: GovernedState): boolean {
  return state.failure !== null && failureKey(state) !== failureKey(before)
}

const READS_MAX = 10

const writeToEnd = (): Promise<void> => waitFor(WRITE_END_MS)

// Editors write a file of this size within some milliseconds; nobody notices that the message comes later by as much.
const WRITE_END_MS = 100
