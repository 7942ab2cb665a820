import { gather } from '../io/git/gather.ts'
import { readPrivateFile } from '../io/files/private-file.ts'
import { currentPolicy } from '../policy/current-policy.ts'
import type { CompiledPolicy } from '../scope/compiled-policy.ts'
import { ownPath } from '../worktree/layout.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { endsSession } from '../intents/lifecycle.ts'
import type { Session } from '../intents/session.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { findEndedSession, findSession } from '../sessions/session-store.ts'

/** The current policy, as far as calls are judged by it. */
export type CallPolicy = Pick<CompiledPolicy, 'policy' | 'opaqueCommands' | 'claims'>

/** Loads the compiled policy while none of its sources has changed; else parses the sources, which is slow. */
export async function loadCallPolicy(worktree: LightWorktree): Promise<CallPolicy> {
  const text = readPrivateFile(ownPath(worktree, 'compiled/state.json'))
  const current = await gather(worktree, currentPolicy(text, worktree))
  if (current) return current
  const { readCallPolicy } = await import('./read-call-policy.ts')
  return readCallPolicy(worktree.root)
}

/** The live session of an agent, and its intent as it is in the registry now. */
type SessionSelection = { readonly session: Session | null; readonly intent: PolicyIntent | null }

/**
 * The intent that a session has selected: a live session keeps its intent, whatever its status. An ended session has
 * none, except an intent whose status ended the session: so the agent learns why. Throws when it can't be read.
 */
export async function sessionSelection(worktree: LightWorktree, id: string, policy: Policy): Promise<SessionSelection> {
  const live = await findSession(worktree, id)
  if (live?.endedAt === null) return { session: live, intent: policyIntent(policy, live.intent) }
  const ended = live ?? (await findEndedSession(worktree, id))
  const intent = ended && policyIntent(policy, ended.intent)
  return { session: null, intent: intent && endsSession(intent.status) ? intent : null }
}

function policyIntent({ intents }: Policy, id: string): PolicyIntent | null {
  return intents.find(it => it.id === id) ?? null
}
