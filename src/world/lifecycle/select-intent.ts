import { autostartForSession } from '../io/daemon-client/autostart.ts'
import { findIntent, type Intent } from '../../core/intents/intent.ts'
import type { Session } from '../../core/intents/session.ts'
import type { Clock } from '../io/process/clock.ts'
import { type FailureCode, KotefError, toKotefError } from '../../core/base/failure.ts'
import type { Drift } from '../../core/report/drift.ts'
import type { ScopeOverlap } from '../../core/intents/scope/scope-overlap.ts'
import { refuseUnstartable } from './change-intents.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { driftOf } from '../intents/sessions/drift.ts'
import {
  claimsOnElsewhere,
  newSession,
  type OpenedSession,
  openSession,
  overlappingIntents,
  refuseUnmetDependencies,
  type SessionOptions,
} from './start-intent.ts'
import { loadContract } from './saved-contract.ts'
import { beginRun } from '../runs/begin-run.ts'
import { loadConfig, loadRegistry } from '../intents/policy/load-policy.ts'
import { endOrphans, withSessionsLock } from '../intents/sessions/live-sessions.ts'
import type { ElsewhereClaim } from '../intents/sessions/other-clones.ts'
import { findEndedSession, findSession } from '../intents/sessions/session-store.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** A request to bind a session to an intent. `session` is the agent's own id of its run, which is untrusted text. */
export type IntentSelection = Pick<Session, 'model' | 'intent' | 'handover'> & {
  readonly agent: string
  readonly session: string
  /** A process that lives as long as the session does, such as an MCP server. A hook's process does not. */
  readonly pid?: number | null
}

/** A session that is bound to its intent until it ends. */
export type SelectedIntent = Omit<OpenedSession, 'ended'> & {
  /** True when this session had selected the intent before. */
  readonly resumed: boolean
  /** The other open intents that own some of its paths. */
  readonly overlaps: readonly ScopeOverlap[]
  /** The commits since the session first selected the intent; null while HEAD is unborn. */
  readonly drift: Drift | null
  /** The claims of other clones on the intent, as of the last sync. */
  readonly elsewhere: readonly ElsewhereClaim[]
  /** The pid of the daemon that was started for the session; null when none was. */
  readonly watcher: number | null
}

/**
 * Binds the session of an agent with hooks to an intent, and claims the intent. Throws with one of `REFUSALS` when the
 * session may not have it. Any other failure is `orchestration-unavailable`: then the agent may not write.
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
    await endOrphans(workspace, selection.session)
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
  if (!selected.resumed) await beginRun(workspace, { session: session.id, intent, config })
  // What the run works for, from now on. An agent does not wait for a disk that refuses it.
  await loadContract(workspace, { intent: intent.id, ticket: null, cwd: workspace.root }).catch(() => null)
  const overlaps = await overlappingIntents(workspace, intent, intents)
  const elsewhere = await claimsOnElsewhere(workspace, config, intent)
  const watcher = selected.resumed ? null : await autostartForSession(workspace, config)
  return { ...selected, overlaps, drift: await driftOf(workspace, session, intent), elsewhere, watcher }
}

/** The session with this id, live or ended; null when it is new. Throws when it is bound to another intent. */
async function earlierSession(workspace: Workspace, { session, intent }: IntentSelection): Promise<Session | null> {
  const before = (await findSession(workspace, session)) ?? (await findEndedSession(workspace, session))
  if (!before || before.intent === intent) return before
  throw new KotefError('session-locked', `This session has selected ${before.intent}, and can't select another intent.`)
}

function refuseUnselectable(intent: Intent, intents: readonly Intent[]): void {
  refuseUnmetDependencies(intent, intents)
  if (intent.status === 'BLOCKED') {
    throw new KotefError('illegal-transition', `${intent.id} is BLOCKED until a person starts it again.`, {
      hint: `Select another intent, or ask a person to run \`kotef intent start ${intent.id}\``,
    })
  }
  refuseUnstartable(intent)
}

function resumeSession(clock: Clock, before: Session, { model, pid = null, handover }: IntentSelection): Session {
  const heartbeatAt = new Date(clock.now()).toISOString()
  const role = handover ?? before.handover
  return { ...before, model: model ?? before.model, pid, heartbeatAt, endedAt: null, handover: role }
}

function selectedSessionOptions(selection: IntentSelection): SessionOptions {
  const { session: id, agent, model, intent, pid = null, handover } = selection
  return { id, agent, model, intent, pid, declared: false, ...(handover ? { handover } : {}) }
}
