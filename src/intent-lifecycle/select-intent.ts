import { findIntent } from '../intents/find-intent.ts'
import type { Intent } from '../intents/intent.ts'
import type { Session } from '../intents/session.ts'
import type { Clock } from '../io/process/clock.ts'
import { type FailureCode, KotefError, toKotefError } from '../findings/failure.ts'
import type { Drift } from '../report/drift.ts'
import type { ScopeOverlap } from '../scope/scope-overlap.ts'
import { refuseIllegalTransition } from './change-intents.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { driftOf } from '../sessions/drift.ts'
import { newSession, type OpenedSession, openSession, type SessionOptions } from './open-session.ts'
import { loadConfig, loadRegistry } from '../policy/load-policy.ts'
import { findEndedSession, findSession } from '../sessions/session-store.ts'
import { withSessionsLock } from '../sessions/live-sessions.ts'
import { overlappingIntents, refuseUnmetDependencies } from './start-intent.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Who selects what. `session` is the agent's own name for its run: foreign text. */
export type IntentSelection = Pick<Session, 'model' | 'intent'> & {
  readonly agent: string
  readonly session: string
  /** A process that lives as long as the session does, such as an MCP server; a hook is gone at once, and is none. */
  readonly pid?: number | null
}

/** A session that is bound to its intent, for its whole life. */
export type SelectedIntent = Omit<OpenedSession, 'ended'> & {
  /** True when this session had selected the intent before. */
  readonly resumed: boolean
  /** The other intents in progress that own paths of this one as well. */
  readonly overlaps: readonly ScopeOverlap[]
  /** What was committed since the session first selected it; null where there is no commit. */
  readonly drift: Drift | null
}

/**
 * Binds the session of an agent with hooks to an intent, and claims that. Refused with a code when it may not. When
 * nobody can tell, the code is `orchestration-unavailable`, and nothing is allowed.
 */
export function selectIntent(workspace: Workspace, selection: IntentSelection): Promise<SelectedIntent> {
  return bindSession(workspace, selection).catch((thrown: unknown) => {
    const error = toKotefError(thrown)
    if (REFUSALS.has(error.code)) throw error
    throw new KotefError('orchestration-unavailable', `Orchestration unavailable: ${error.message}`, {
      cause: error,
      hint: error.hint,
    })
  })
}

const REFUSALS: ReadonlySet<FailureCode> = new Set([
  'unknown-intent',
  'dependency-unmet',
  'illegal-transition',
  'session-locked',
  'claim-held',
  'orchestration-unavailable',
])

async function bindSession(workspace: Workspace, selection: IntentSelection): Promise<SelectedIntent> {
  const config = await loadConfig(workspace)
  const { intents } = await loadRegistry(workspace)
  const opened = await withSessionsLock(workspace, async () => {
    const before = await earlierSession(workspace, selection)
    refuseUnselectable(findIntent(intents, selection.intent), intents)
    const session = before
      ? resumeSession(workspace.clock, before, selection)
      : await newSession(workspace, selectedSessionOptions(selection))
    const isNew = before?.endedAt !== null
    const open = await openSession(workspace, { session, isNew }, { config, steal: false, replaced: [] })
    return { ...open, resumed: before !== null }
  })
  await compilePolicy(workspace)
  const { ended: _, ...selected } = opened
  const { intent, session } = selected
  const overlaps = await overlappingIntents(workspace, intent, intents)
  return { ...selected, overlaps, drift: await driftOf(workspace, session, intent) }
}

/** The session as it was bound before, also if it has ended since; refused when that was to another intent. */
async function earlierSession(workspace: Workspace, { session, intent }: IntentSelection): Promise<Session | null> {
  const before = (await findSession(workspace, session)) ?? (await findEndedSession(workspace, session))
  if (!before || before.intent === intent) return before
  throw new KotefError('session-locked', `This session has selected ${before.intent}, and keeps it for its whole life.`)
}

function refuseUnselectable(intent: Intent, intents: readonly Intent[]): void {
  refuseUnmetDependencies(intent, intents)
  if (intent.status === 'BLOCKED') {
    throw new KotefError('illegal-transition', `${intent.id} is BLOCKED: nobody works on it until a person opens it.`, {
      hint: `Select another intent, or ask a person to run \`kotef intent start ${intent.id}\``,
    })
  }
  if (intent.status !== 'IN_PROGRESS') refuseIllegalTransition(intent, 'IN_PROGRESS')
}

function resumeSession(clock: Clock, before: Session, { model, pid = null }: IntentSelection): Session {
  const heartbeatAt = new Date(clock.now()).toISOString()
  return { ...before, model: model ?? before.model, pid, heartbeatAt, endedAt: null }
}

function selectedSessionOptions({ session: id, agent, model, intent, pid = null }: IntentSelection): SessionOptions {
  return { id, agent, model, intent, pid, declared: false }
}
