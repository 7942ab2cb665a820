import { autostartForSession } from '../io/daemon-client/autostart.ts'
import { trackedPaths } from '../../core/git/index-entries.ts'
import { findIntent, type Intent } from '../../core/intents/intent.ts'
import { isOpen, unmetDependencies } from '../../core/intents/lifecycle.ts'
import type { Session } from '../../core/intents/session.ts'
import type { Config } from '../../core/intents/config.ts'
import { KotefError } from '../../core/base/failure.ts'
import { type ScopeOverlap, scopeOverlaps } from '../../core/intents/scope/scope-overlap.ts'
import { beginWork, refuseUnstartable } from './change-intents.ts'
import { intentsWithLiveStatus } from '../intents/sessions/intents-in-work.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { loadConfig, loadRegistry } from '../intents/policy/load-policy.ts'
import { endOrphans, endUnderLock, liveSessions, withSessionsLock } from '../intents/sessions/live-sessions.ts'
import { saveBranchIntent } from '../intents/sessions/branch-intent.ts'
import { claimsElsewhere, type ElsewhereClaim } from '../intents/sessions/other-clones.ts'
import { saveSession } from '../intents/sessions/session-store.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { LedgerEvent } from '../../core/ledger/event.ts'
import { claimIntent, type ClaimOutcome, type ClaimTerms } from '../intents/sessions/claims.ts'
import { tryJudgeNewCommits } from '../commits/judge-new-commits.ts'
import { readHead } from '../io/worktree/head.ts'
import { appendRecords } from '../ledger/append-records.ts'

/** The wanted session. `agent` is null for a person. */
type StartOptions = Pick<Session, 'intent' | 'agent' | 'model'> & { readonly steal?: boolean }

/** A session on a started intent, and the other open intents that own some of its paths. */
export type StartedIntent = OpenedSession & {
  readonly overlaps: readonly ScopeOverlap[]
  /** The claims of other clones on the intent, as of the last sync. */
  readonly elsewhere: readonly ElsewhereClaim[]
  /** The pid of the daemon that was started for the session; null when none was. */
  readonly watcher: number | null
}

/**
 * Opens the session of a person, or of a declared agent, on an intent in this worktree, and puts the intent in
 * progress. A worktree has one such session at a time: an earlier one ends. A repeated call returns the live session.
 */
export async function startIntent(workspace: Workspace, options: StartOptions): Promise<StartedIntent> {
  const { intents } = await loadRegistry(workspace)
  // The config is read first, so that a damaged one leaves nothing half started.
  const config = await loadConfig(workspace)
  const intent = findIntent(intents, options.intent)
  refuseUnmetDependencies(intent, intents)
  refuseUnstartable(intent)
  const opened = await withSessionsLock(workspace, async () => {
    await endOrphans(workspace)
    const earlier = (await liveSessions(workspace)).filter(it => it.kind === 'person' || it.declared)
    const same = earlier.find(
      it => it.intent === options.intent && it.agent === options.agent && it.model === options.model,
    )
    const session = same ?? (await newSession(workspace, sessionOptionsFor(workspace, options)))
    const replaced = earlier.filter(it => it !== same)
    return openSession(workspace, { session, isNew: !same }, { config, steal: options.steal ?? false, replaced })
  })
  await compilePolicy(workspace)
  const overlaps = await overlappingIntents(workspace, opened.intent, intents)
  const elsewhere = await claimsOnElsewhere(workspace, config, intent)
  return { ...opened, overlaps, elsewhere, watcher: await autostartForSession(workspace, config) }
}

// Without a pid: the command that opens the session ends at once. The session lives until the next one starts or its
// intent is stopped.
function sessionOptionsFor({ clock }: Workspace, { intent, agent, model }: StartOptions): SessionOptions {
  return { id: clock.uuid(), intent, agent, model, declared: agent !== null, pid: null }
}

/** The claims of other clones on an intent. A failure is not a reason to stop: they are only shown. */
export async function claimsOnElsewhere(
  workspace: Workspace,
  config: Pick<Config, 'claims_ttl_minutes'>,
  { id }: Pick<Intent, 'id'>,
): Promise<ElsewhereClaim[]> {
  return (await claimsElsewhere(workspace, config).catch(() => [])).filter(it => it.intent === id)
}

/** The other open intents that own some of its paths. */
export async function overlappingIntents(
  { git }: Pick<Workspace, 'git'>,
  intent: Intent,
  all: readonly Intent[],
): Promise<readonly ScopeOverlap[]> {
  const others = all.filter(it => isOpen(it.status) && it.id !== intent.id)
  return scopeOverlaps(intent, others, await git.ask(trackedPaths))
}

/** Throws when an intent depends on intents that are not completed. */
export function refuseUnmetDependencies(intent: Intent, intents: readonly Intent[]): void {
  const unmet = unmetDependencies(intent, intents)
  if (unmet.length === 0) return
  const list = unmet.map(id => `${id} (${intents.find(it => it.id === id)?.status ?? 'unknown'})`)
  throw new KotefError('dependency-unmet', `${intent.id} waits for ${list.join(', ')}.`)
}

/** The given fields of a new session. `agent` is null for a person, `pid` when the process is not known. */
export type SessionOptions = Pick<Session, 'id' | 'intent' | 'agent' | 'model' | 'declared' | 'pid' | 'handover'>

/** A session that was started or resumed, its intent, which is in progress, and the sessions that it replaced. */
export type OpenedSession = Pick<ClaimOutcome, 'claim' | 'stolen'> & {
  readonly session: Session
  readonly intent: Intent
  readonly ended: readonly Session[]
}

/**
 * Claims a session's intent, puts it in progress, and starts or resumes the session. A failure undoes the claim. The
 * caller must hold the sessions' lock.
 */
export async function openSession(
  workspace: Workspace,
  { session, isNew }: { readonly session: Session; readonly isNew: boolean },
  terms: ClaimTerms,
): Promise<OpenedSession> {
  const before = findIntent(
    await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents),
    session.intent,
  )
  const { claim, stolen, undo } = await claimIntent(workspace, session, terms)
  try {
    const intent = await beginWork(workspace, before)
    await tryJudgeNewCommits(workspace)
    const ended = await endUnderLock(workspace, terms.replaced)
    const stolenEvents = stolen ? [{ event: 'claim-stolen', ...sessionFields(session), ...stolen } as const] : []
    // The ledger comes first: when it can't be written, the session does not start, and the call can be repeated.
    const events: LedgerEvent[] = [...stolenEvents, ...(isNew ? [sessionStartedEvent(session)] : [])]
    await appendRecords(
      workspace,
      events.map(event => ({ event })),
    )
    await saveSession(workspace, session)
    await saveBranchIntent(workspace, session.intent)
    return { session, intent, ended, claim, stolen }
  } catch (thrown) {
    await undo()
    throw thrown
  }
}

/** A session that starts now. It is not saved yet. */
export async function newSession(workspace: Workspace, options: SessionOptions): Promise<Session> {
  const { clock } = workspace
  const at = new Date(clock.now()).toISOString()
  return {
    ...options,
    kind: options.agent === null ? 'person' : 'agent',
    claimedAt: at,
    heartbeatAt: at,
    host: clock.host,
    baseCommit: await readHead(workspace),
    endedAt: null,
  }
}

function sessionFields({ id, intent }: Session) {
  return { session: id, intent }
}

function sessionStartedEvent(session: Session): LedgerEvent {
  const { agent } = session
  return { event: 'session-started', ...sessionFields(session), ...(agent === null ? {} : { agent }) }
}
