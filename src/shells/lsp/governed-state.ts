import { toKotefError, type KotefError } from '../../core/base/failure.ts'
import { dayOf } from '../../core/intents/enforcement.ts'
import { withLiveStatuses } from '../../core/intents/lifecycle.ts'
import { sessionIntents, type Session } from '../../core/intents/session.ts'
import { isProcessAlive } from '../../world/io/process/processes.ts'
import { readDaemonAddress } from '../../world/io/daemon-client/ask-daemon.ts'
import { loadPolicy } from '../../world/intents/policy/load-policy.ts'
import type { EditContext } from '../../core/rules/judge-edit.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import { type Policy, type PolicyIntent, policyOn } from '../../core/intents/scope/policy.ts'
import { textsAtHead } from '../../world/io/worktree/head.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'

/** What the server knows of a worktree. */
export type GovernedState = {
  /** The last policy that could be read; null before one was, and in a repository without kotef. */
  readonly policy: Policy | null
  readonly sessions: readonly Session[]
  readonly isWatched: boolean
  /** Why the policy or the sessions can't be read now; null when they can. */
  readonly failure: KotefError | null
}

export const NOTHING_KNOWN: GovernedState = { policy: null, sessions: [], isWatched: false, failure: null }

/** Reads the state of a worktree. A policy that can't be read any more is kept as it was. */
export async function loadGovernedState(workspace: Workspace, before: GovernedState): Promise<GovernedState> {
  try {
    const policy = await policyOf(workspace)
    if (policy === null) return NOTHING_KNOWN
    return { policy, sessions: await liveSessions(workspace), isWatched: await hasDaemon(workspace), failure: null }
  } catch (thrown) {
    return { ...before, failure: toKotefError(thrown) }
  }
}

/** What one failure has in common with itself, when it is read again; null without one. */
export function failureKey({ failure }: GovernedState): string | null {
  return failure && `${failure.code} ${failure.message}`
}

async function policyOf(workspace: Workspace): Promise<Policy | null> {
  try {
    return await loadPolicy(workspace)
  } catch (thrown) {
    if (toKotefError(thrown).code !== 'registry-missing') throw thrown
    const [committed] = await textsAtHead(workspace, [REGISTRY_PATH])
    // A deleted registry is damage while HEAD still has it.
    if (typeof committed === 'string') throw thrown
    return null
  }
}

// A question to the daemon would count as its use, after which it would never end by itself.
async function hasDaemon(workspace: Workspace): Promise<boolean> {
  const address = await readDaemonAddress(workspace)
  return address !== null && isProcessAlive(address.pid)
}

/** The context in which an edit in the worktree is judged; null without a policy. */
export function editContext({ policy: read, sessions }: GovernedState, now: number): EditContext | null {
  const byPersons = sessions.every(it => it.kind === 'person')
  // An editor may be open for longer than a day.
  const policy = read && policyOn(dayOf(now), read)
  return policy && { policy, live: sessionIntents(sessions), byPersons }
}

type CurrentSession = { readonly session: Session | null; readonly intent: PolicyIntent | null }

/** The session that the worktree's state is about, and its intent: of several sessions, the oldest. */
export function currentSession({ policy, sessions }: GovernedState): CurrentSession {
  const session = sessions[0] ?? null
  const selected = policy?.intents.filter(it => it.id === session?.intent) ?? []
  // An open intent that somebody works on is in progress, whatever the registry says.
  const [intent = null] = withLiveStatuses(selected, new Set(selected.map(it => it.id)))
  return { session, intent }
}
