import { ancestorDistance, type CallAnnouncement } from '../agents/call-announcement.ts'
import type { Proposal } from '../approvals/answer-request.ts'
import { endAgentSession } from '../intent-lifecycle/end-agent-session.ts'
import { takeAnnouncement } from '../agent-activity/call-announcements.ts'
import { hasSession, findSession } from '../sessions/session-store.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What a server runs with, for as long as it does. */
export type Host = {
  /** Opens the worktree anew for each call: what was wrong with it may have been mended. */
  readonly open: () => Promise<Workspace>
  /** Whom it speaks for now. */
  identity: ServerIdentity
  /** Where a hook has to come from to be of the same agent; null when no hook is to say whose the server is. */
  ancestry: ProcessAncestry | null
  /** What persons were asked at the client, by the id of the request: nobody is asked twice. */
  readonly proposalsShown: Map<string, Proposal>
}

/** Whom a server speaks for: one session, which the disk keeps. */
export type ServerIdentity = {
  readonly session: string
  /** The process that lives as long as the session does; null for a session that others began. */
  readonly pid: number | null
  /** What the agent's hook calls the agent, and its model; null where no hook has told. */
  readonly agent: string | null
  readonly model: string | null
}

/** The processes that the server comes from, nearest first, and whether the hook may come from none of them. */
export type ProcessAncestry = { readonly pids: readonly number[]; readonly allowUnrelated: boolean }

/** The intent that a session has selected; null when it has none, or was ended. */
export async function selectedIntent(
  { session }: Pick<ServerIdentity, 'session'>,
  workspace: Workspace,
): Promise<string | null> {
  return (await findSession(workspace, session))?.intent ?? null
}

/** Whom a call is for: the session whose hook has announced it, else whom the server has spoken for so far. */
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
  // What was selected before any hook was heard would be held against the agent itself.
  if (previous.agent === null && (await hasSession(workspace, previous.session)))
    await endAgentSession(workspace, previous.session)
  return host.identity
}

// The hook is gone at once, and the server may be started anew: what they both come from is the agent itself.
function commonAncestor({ pids }: ProcessAncestry, announcement: CallAnnouncement): number | null {
  return pids.find(it => announcement.pids.includes(it)) ?? null
}

// Who has once been heard from nearby is not mistaken for somebody farther away.
function narrowAncestry({ pids, allowUnrelated }: ProcessAncestry, announcement: CallAnnouncement): ProcessAncestry {
  const at = ancestorDistance(announcement, { pids })
  return at === Infinity ? { pids, allowUnrelated } : { pids: pids.slice(0, at + 1), allowUnrelated: false }
}
