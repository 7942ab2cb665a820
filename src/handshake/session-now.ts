import type { Session } from '../intents/session.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { endedSession, sessionNamed } from '../workspace/session-store.ts'
import type { Governed } from './governed.ts'

/** The session of an agent, and the intent that it has selected as the registry has it now. */
export type SessionNow = { readonly session: Session | null; readonly intent: PolicyIntent | null }

/**
 * Where a session stands: a live one is on its intent, whatever became of that. One that is over is on none, unless it
 * is over because its intent is: then the agent is told so. Throws where nobody can say.
 */
export async function sessionNow(place: Governed, id: string, policy: Policy): Promise<SessionNow> {
  const live = await sessionNamed(place, id)
  if (live?.endedAt === null) return { session: live, intent: intentIn(policy, live.intent) }
  const ended = live ?? (await endedSession(place, id))
  const intent = ended && intentIn(policy, ended.intent)
  return { session: null, intent: intent && CLOSED.has(intent.status) ? intent : null }
}

const CLOSED: ReadonlySet<PolicyIntent['status']> = new Set(['COMPLETED', 'ABANDONED', 'BLOCKED'])

function intentIn({ intents }: Policy, id: string): PolicyIntent | null {
  return intents.find(it => it.id === id) ?? null
}
