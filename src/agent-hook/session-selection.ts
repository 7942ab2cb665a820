import type { Session } from '../intents/session.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { findEndedSession, findSession } from '../sessions/session-store.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The session of an agent, and the intent that it has selected as the registry has it now. */
export type SessionSelection = { readonly session: Session | null; readonly intent: PolicyIntent | null }

/**
 * Where a session stands: a live one is on its intent, whatever became of that. One that is over is on none, unless it
 * is over because its intent is: then the agent is told so. Throws where nobody can say.
 */
export async function sessionSelection(worktree: LightWorktree, id: string, policy: Policy): Promise<SessionSelection> {
  const live = await findSession(worktree, id)
  if (live?.endedAt === null) return { session: live, intent: policyIntent(policy, live.intent) }
  const ended = live ?? (await findEndedSession(worktree, id))
  const intent = ended && policyIntent(policy, ended.intent)
  return { session: null, intent: intent && STATUSES_ENDING_SESSION.has(intent.status) ? intent : null }
}

const STATUSES_ENDING_SESSION: ReadonlySet<PolicyIntent['status']> = new Set(['COMPLETED', 'ABANDONED', 'BLOCKED'])

function policyIntent({ intents }: Policy, id: string): PolicyIntent | null {
  return intents.find(it => it.id === id) ?? null
}
