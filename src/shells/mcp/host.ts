import { ancestorDistance, type CallAnnouncement } from '../../core/agents/call-announcement.ts'
import type { Proposal } from '../../world/approvals/answer-request.ts'
import { endAgentSession } from '../../world/lifecycle/agent-session.ts'
import { takeAnnouncement } from '../../world/recording/agent-activity/call-announcements.ts'
import type { Session } from '../../core/intents/session.ts'
import { findSession, hasSession } from '../../world/intents/sessions/session-store.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import type { TurnQueue } from './turn-queue.ts'

/** The state of a server process. */
export type Host = {
  /** Opens the worktree, again for each call: damage may have been repaired since. */
  readonly open: () => Promise<Workspace>
  /** The session that it acts for now. */
  identity: ServerIdentity
  /** The ancestors by which a hook is of the same agent; null when no hook may change the identity. */
  ancestry: ProcessAncestry | null
  /** The proposals shown to persons at the client, by request id: each request is shown once. */
  readonly proposalsShown: Map<string, Proposal>
  /** How often each gate of a handover session got no valid answer. */
  readonly gateAsks: Map<string, number>
  /** The requests of the client, each in its turn. */
  readonly turns: TurnQueue
}

/** The session that a server acts for; its state is on disk. */
export type ServerIdentity = {
  readonly session: string
  /** The process whose end ends the session; null for a session that was started elsewhere. */
  readonly pid: number | null
  /** The names of the agent and its model in the hook's announcement; null before any announcement. */
  readonly agent: string | null
  readonly model: string | null
}

/** The server's ancestor processes, nearest first, and whether a hook without a common ancestor may match. */
export type ProcessAncestry = { readonly pids: readonly number[]; readonly allowUnrelated: boolean }

/** The session that a server acts for; null when it has selected no intent, or was ended. */
export function selectedSession(
  { session }: Pick<ServerIdentity, 'session'>,
  workspace: Workspace,
): Promise<Session | null> {
  return findSession(workspace, session)
}

/** The identity for a call: the session whose hook announced it, else the server's current identity. */
export async function identityForCall(
  host: Host,
  workspace: Workspace,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
): Promise<ServerIdentity> {
  if (host.ancestry === null) return host.identity
  const selects = name === 'select_active_intent' && typeof args['intent_id'] === 'string'
  const announcement = await takeAnnouncement(workspace, {
    ...host.ancestry,
    tool: name,
    intent: selects ? String(args['intent_id']) : null,
  })
  if (announcement === null) return host.identity
  const previous = host.identity
  const { session, agent, model } = announcement
  host.identity = { session, agent, model, pid: commonAncestor(host.ancestry, announcement) }
  host.ancestry = narrowAncestry(host.ancestry, announcement)
  // A selection made before the first announcement is held by another session: it would lock the agent out.
  if (previous.agent === null && (await hasSession(workspace, previous.session)))
    await endAgentSession(workspace, previous.session)
  return host.identity
}

// The hook exits at once, and the server may be restarted: their common ancestor is the agent's own process.
function commonAncestor({ pids }: ProcessAncestry, announcement: CallAnnouncement): number | null {
  return pids.find(it => announcement.pids.includes(it)) ?? null
}

// After an announcement by a near relative, one by a farther process is of another agent.
function narrowAncestry({ pids, allowUnrelated }: ProcessAncestry, announcement: CallAnnouncement): ProcessAncestry {
  const at = ancestorDistance(announcement, { pids })
  return at === Infinity ? { pids, allowUnrelated } : { pids: pids.slice(0, at + 1), allowUnrelated: false }
}
