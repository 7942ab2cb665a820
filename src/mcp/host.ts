import { distanceOf, type Knock } from '../agents/knock.ts'
import type { Proposal } from '../workspace/answer-request.ts'
import { endHooked } from '../workspace/end-hooked.ts'
import { takeKnock } from '../workspace/knocks.ts'
import { isBound, sessionNamed } from '../workspace/session-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a server runs with, for as long as it does. */
export type Host = {
  /** Opens the worktree anew for each call: what was wrong with it may have been mended. */
  readonly open: () => Promise<Workspace>
  /** Whom it speaks for now. */
  voice: Voice
  /** Where a hook has to come from to be of the same agent; null when no hook is to say whose the server is. */
  kin: Kin | null
  /** What persons were asked at the client, by the id of the request: nobody is asked twice. */
  readonly shown: Map<string, Proposal>
}

/** Whom a server speaks for: one session, which the disk keeps. */
export type Voice = {
  readonly session: string
  /** The process that lives as long as the session does; null for a session that others began. */
  readonly pid: number | null
  /** What the agent's hook calls the agent, and its model; null where no hook has told. */
  readonly agent: string | null
  readonly model: string | null
}

/** The processes that the server comes from, nearest first, and whether the hook may come from none of them. */
export type Kin = { readonly pids: readonly number[]; readonly strangers: boolean }

/** The intent that a session has selected; null when it has none, or was ended. */
export async function selectedBy({ session }: Pick<Voice, 'session'>, workspace: Workspace): Promise<string | null> {
  return (await sessionNamed(workspace, session))?.intent ?? null
}

/** Whom a call is for: the session whose hook has announced it, else whom the server has spoken for so far. */
export async function voiceOf(
  host: Host,
  workspace: Workspace,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
): Promise<Voice> {
  if (host.kin === null) return host.voice
  const selects = name === 'select_active_intent' && typeof args['intent_id'] === 'string'
  const knock = await takeKnock(workspace, {
    ...host.kin,
    tool: name,
    intent: selects ? String(args['intent_id']) : null,
  })
  if (knock === null) return host.voice
  const before = host.voice
  const { session, agent, model } = knock
  host.voice = { session, agent, model, pid: commonAncestor(host.kin, knock) }
  host.kin = narrowed(host.kin, knock)
  // What was selected before any hook was heard would be held against the agent itself.
  if (before.agent === null && (await isBound(workspace, before.session))) await endHooked(workspace, before.session)
  return host.voice
}

// The hook is gone at once, and the server may be started anew: what they both come from is the agent itself.
function commonAncestor({ pids }: Kin, knock: Knock): number | null {
  return pids.find(it => knock.pids.includes(it)) ?? null
}

// Who has once been heard from nearby is not mistaken for somebody farther away.
function narrowed({ pids, strangers }: Kin, knock: Knock): Kin {
  const at = distanceOf(knock, { pids })
  return at === Infinity ? { pids, strangers } : { pids: pids.slice(0, at + 1), strangers: false }
}
