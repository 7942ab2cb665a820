import { currentSession, type GovernedState } from './governed-state.ts'
import { uriOfPath } from './file-uri.ts'

/** The notification of the state of a worktree, which is not part of the protocol. */
export const STATUS_NOTIFICATION = 'kotef/status'

/** What the notification says. */
export type StatusParams = {
  /** The URI of the top of the worktree. */
  readonly root: string
  readonly intent: { readonly id: string; readonly name: string; readonly status: string } | null
  readonly session: { readonly id: string; readonly kind: string; readonly agent: string | null } | null
  readonly daemon: 'running' | 'stopped'
}

/** The status of a worktree; nothing of one that is gone. */
export function statusParams(root: string, state: GovernedState): StatusParams {
  const { session, intent } = currentSession(state)
  return {
    root: uriOfPath(root),
    intent: intent && { id: intent.id, name: intent.name, status: intent.status },
    session: session && { id: session.id, kind: session.kind, agent: session.agent },
    daemon: state.isWatched ? 'running' : 'stopped',
  }
}
