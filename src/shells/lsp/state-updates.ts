import { failureKey, type GovernedState, NOTHING_KNOWN } from './governed-state.ts'
import type { Client } from './host.ts'
import type { Messages } from './messages.ts'
import { STATUS_NOTIFICATION, statusParams } from './status-notification.ts'

/** Sends the client what has changed in the state of a worktree; null stands for one that is gone. */
export type StateUpdates = (root: string, state: GovernedState | null) => void

type Sent = { readonly failure: string | null; readonly status: string | null }

/** Sends each status and each failure once, until another one comes. */
export function stateUpdates({ connection }: Client, messages: Messages): StateUpdates {
  const sent = new Map<string, Sent>()
  return (root, state) => {
    const before = sent.get(root) ?? { failure: null, status: null }
    const now = state ?? NOTHING_KNOWN
    const failure = failureKey(now)
    if (now.failure !== null && failure !== before.failure) messages.fail(now.failure)
    const params = statusParams(root, now)
    const status = JSON.stringify(params)
    // A repository without kotef has no status, unless it had one.
    const isSilent = before.status === null && (state === null || state.policy === null)
    if (!isSilent && status !== before.status) connection.sendNotification(STATUS_NOTIFICATION, params).catch(() => {})
    sent.set(root, { failure, status: isSilent ? null : status })
  }
}
