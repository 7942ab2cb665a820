import { intentNamed } from '../intents/find.ts'
import type { Intent } from '../intents/intent.ts'
import type { Session } from '../intents/session.ts'
import type { Clock } from '../io/clock.ts'
import { type FailureCode, KotefError, toKotefError } from '../report/failure.ts'
import type { Drift } from '../report/drift.ts'
import type { Overlap } from '../scope/overlap.ts'
import { refuseIllegal } from './change-intents.ts'
import { compile } from './compile.ts'
import { driftOf } from './drift.ts'
import { newSession, type Opened, openSession, type SessionWish } from './open-session.ts'
import { loadConfig, loadRegistry } from './policy.ts'
import { endedSession, sessionNamed } from './session-store.ts'
import { withSessions } from './sessions.ts'
import { overlapsWith, refuseWaiting } from './start-intent.ts'
import type { Workspace } from './workspace.ts'

/** Who selects what. `session` is the agent's own name for its run: foreign text. */
export type Selection = Pick<Session, 'model' | 'intent'> & {
  readonly agent: string
  readonly session: string
  /** A process that lives as long as the session does, such as an MCP server; a hook is gone at once, and is none. */
  readonly pid?: number | null
}

/** A session that is bound to its intent, for its whole life. */
export type Selected = Omit<Opened, 'ended'> & {
  /** True when this session had selected the intent before. */
  readonly resumed: boolean
  /** The other intents in progress that own paths of this one as well. */
  readonly overlaps: readonly Overlap[]
  /** What was committed since the session first selected it; null where there is no commit. */
  readonly drift: Drift | null
}

/**
 * Binds the session of an agent with hooks to an intent, and claims that. Refused with a code when it may not. When
 * nobody can tell, the code is `orchestration-unavailable`, and nothing is allowed.
 */
export function selectIntent(workspace: Workspace, selection: Selection): Promise<Selected> {
  return select(workspace, selection).catch((thrown: unknown) => {
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

async function select(workspace: Workspace, selection: Selection): Promise<Selected> {
  const config = await loadConfig(workspace)
  const { intents } = await loadRegistry(workspace)
  const opened = await withSessions(workspace, async () => {
    const before = await boundBefore(workspace, selection)
    refuseClosed(intentNamed(intents, selection.intent), intents)
    const session = before
      ? resumed(workspace.clock, before, selection)
      : await newSession(workspace, wishOf(selection))
    const isNew = before?.endedAt !== null
    const open = await openSession(workspace, { session, isNew }, { config, steal: false, replaced: [] })
    return { ...open, resumed: before !== null }
  })
  await compile(workspace)
  const { ended: _, ...selected } = opened
  const { intent, session } = selected
  const overlaps = await overlapsWith(workspace, intent, intents)
  return { ...selected, overlaps, drift: await driftOf(workspace, session, intent) }
}

/** The session as it was bound before, also if it has ended since; refused when that was to another intent. */
async function boundBefore(workspace: Workspace, { session, intent }: Selection): Promise<Session | null> {
  const before = (await sessionNamed(workspace, session)) ?? (await endedSession(workspace, session))
  if (!before || before.intent === intent) return before
  throw new KotefError('session-locked', `This session has selected ${before.intent}, and keeps it for its whole life.`)
}

function refuseClosed(intent: Intent, intents: readonly Intent[]): void {
  refuseWaiting(intent, intents)
  if (intent.status === 'BLOCKED') {
    throw new KotefError('illegal-transition', `${intent.id} is BLOCKED: nobody works on it until a person opens it.`, {
      hint: `Select another intent, or ask a person to run \`kotef intent start ${intent.id}\``,
    })
  }
  if (intent.status !== 'IN_PROGRESS') refuseIllegal(intent, 'IN_PROGRESS')
}

function resumed(clock: Clock, before: Session, { model, pid = null }: Selection): Session {
  const heartbeatAt = new Date(clock.now()).toISOString()
  return { ...before, model: model ?? before.model, pid, heartbeatAt, endedAt: null }
}

function wishOf({ session: id, agent, model, intent, pid = null }: Selection): SessionWish {
  return { id, agent, model, intent, pid, declared: false }
}
