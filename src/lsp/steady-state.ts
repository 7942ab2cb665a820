import { setTimeout as waitFor } from 'node:timers/promises'
import { type GovernedState, failureKey } from './governed-state.ts'

/**
 * The state of a worktree as `read` answers it, where a failure counts when it is read twice: a file that is being
 * written is empty, or ends early, for a moment. `read` gets the state from before; `pause` lets a write end.
 */
export async function steadyState(
  read: (before: GovernedState) => Promise<GovernedState>,
  before: GovernedState,
  pause: () => Promise<void> = writeToEnd,
): Promise<GovernedState> {
  const state = await read(before)
  if (state.failure === null || failureKey(state) === failureKey(before)) return state
  await pause()
  return steadyState(read, state, pause)
}

const writeToEnd = (): Promise<void> => waitFor(WRITE_END_MS)

// Editors write a file of this size within some milliseconds; nobody notices that the message comes later by as much.
const WRITE_END_MS = 100
