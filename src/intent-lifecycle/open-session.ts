import type { Intent } from '../intents/intent.ts'
import type { Session } from '../intents/session.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { putInProgress } from './change-intents.ts'
import { claimIntent, type ClaimOutcome, type ClaimTerms } from '../sessions/claims.ts'
import { tryJudgeNewCommits } from '../commits/try-judge-new-commits.ts'
import { headOid } from '../git/head-oid.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { saveSession } from '../sessions/session-store.ts'
import { endUnderLock } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The given fields of a new session. `agent` is null for a person, `pid` when the process is not known. */
export type SessionOptions = Pick<Session, 'id' | 'intent' | 'agent' | 'model' | 'declared' | 'pid'>

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
  const { claim, stolen, undo } = await claimIntent(workspace, session, terms)
  try {
    const intent = await putInProgress(workspace, session.intent)
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
    return { session, intent, ended, claim, stolen }
  } catch (thrown) {
    await undo()
    throw thrown
  }
}

/** A session that starts now. It is not saved yet. */
export async function newSession({ git, clock }: Workspace, options: SessionOptions): Promise<Session> {
  const at = new Date(clock.now()).toISOString()
  return {
    ...options,
    kind: options.agent === null ? 'person' : 'agent',
    claimedAt: at,
    heartbeatAt: at,
    host: clock.host,
    baseCommit: await git.tryAsk(headOid),
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
