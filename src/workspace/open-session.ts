import type { Intent } from '../intents/intent.ts'
import type { Session } from '../intents/session.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { openIntent } from './change-intents.ts'
import { claimIntent, type Claiming, type Terms } from './claims.ts'
import { judgeSoFar } from './judge-so-far.ts'
import { headOid } from '../diff/head-oid.ts'
import { record } from './record.ts'
import { saveSession } from './session-store.ts'
import { end } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** What a session is opened with; null stands for a person as agent, and for a process that nobody knows. */
export type SessionWish = Pick<Session, 'id' | 'intent' | 'agent' | 'model' | 'declared' | 'pid'>

/** A session that begins, or goes on, on an intent that is in progress; and the earlier ones that it ended. */
export type Opened = Pick<Claiming, 'claim' | 'stolen'> & {
  readonly session: Session
  readonly intent: Intent
  readonly ended: readonly Session[]
}

/**
 * Claims the intent of a session, puts it in progress and lets the session begin, or go on when it has. When anything
 * of that fails, the claim is as it was. Only for who holds the sessions' lock.
 */
export async function openSession(
  workspace: Workspace,
  { session, isNew }: { readonly session: Session; readonly isNew: boolean },
  terms: Terms,
): Promise<Opened> {
  const { claim, stolen, undo } = await claimIntent(workspace, session, terms)
  try {
    const intent = await openIntent(workspace, session.intent)
    await judgeSoFar(workspace)
    const ended = await end(workspace, terms.replaced)
    const thefts = stolen ? [{ event: 'claim-stolen', ...of(session), ...stolen } as const] : []
    // Told first: a session that the ledger can't tell of does not begin, and a repeat finds nothing half done.
    const events: LedgerEvent[] = [...thefts, ...(isNew ? [startedEvent(session)] : [])]
    await record(
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

/** A session as it begins now. */
export async function newSession({ git, clock }: Workspace, wish: SessionWish): Promise<Session> {
  const at = new Date(clock.now()).toISOString()
  return {
    ...wish,
    kind: wish.agent === null ? 'person' : 'agent',
    claimedAt: at,
    heartbeatAt: at,
    host: clock.host,
    baseCommit: await git.tryAsk(headOid),
    endedAt: null,
  }
}

function of({ id, intent }: Session) {
  return { session: id, intent }
}

function startedEvent(session: Session): LedgerEvent {
  const { agent } = session
  return { event: 'session-started', ...of(session), ...(agent === null ? {} : { agent }) }
}
