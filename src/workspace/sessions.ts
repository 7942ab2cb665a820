import { join } from 'node:path'
import { readSession } from '../intents/session-file.ts'
import type { Session } from '../intents/session.ts'
import { withLock } from '../io/lock.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import type { Problem } from '../report/finding.ts'
import { headOid, record } from './record.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** The sessions that live in this worktree, oldest first. Damaged files are no sessions: see `readSessions`. */
export async function liveSessions(workspace: Workspace): Promise<Session[]> {
  const { sessions } = await readSessions(workspace)
  return sessions.filter(it => it.endedAt === null)
}

/** The agents that have a session in this worktree, by name. */
export async function liveAgents(workspace: Workspace): Promise<string[]> {
  return (await liveSessions(workspace)).flatMap(it => (it.kind === 'agent' ? [it.agent ?? 'an agent'] : []))
}

/** The sessions of this worktree that have not been put aside as ended, and every session file that is damaged. */
export async function readSessions(workspace: Workspace): Promise<{ sessions: Session[]; problems: Problem[] }> {
  const { sessions: folder } = placesOf(workspace)
  const names = (await workspace.files.list(folder)).filter(it => it.endsWith('.json')).sort()
  const readings = await Promise.all(names.map(name => readingOf(workspace, join(folder, name))))
  const sessions = readings.flatMap(it => ('session' in it ? [it.session] : []))
  return {
    sessions: sessions.sort((a, b) => (a.claimedAt < b.claimedAt ? -1 : 1)),
    problems: readings.flatMap(it => ('problem' in it ? [it.problem] : [])),
  }
}

/** What a session is opened with: an agent's name, or none for a person. */
export type SessionWish = Pick<Session, 'intent' | 'agent' | 'model'>

/** A session that `intent start` opens, and the earlier ones that it ended. */
export type Started = { readonly session: Session; readonly ended: readonly Session[] }

/**
 * Opens the session of a person, or of a declared agent, in this worktree. There is one of these at a time: an
 * earlier one ends, unless it is the very same wish, which is then answered with the session that lives.
 */
export function startSession(workspace: Workspace, wish: SessionWish): Promise<Started> {
  return withLock(join(placesOf(workspace).own, 'sessions.lock'), async () => {
    const earlier = (await liveSessions(workspace)).filter(it => it.kind === 'person' || it.declared)
    const same = earlier.find(it => it.intent === wish.intent && it.agent === wish.agent && it.model === wish.model)
    const ended = await end(
      workspace,
      earlier.filter(it => it !== same),
    )
    if (same) return { session: same, ended }
    const session = await newSession(workspace, wish)
    // Told first: a session that the ledger can't tell of does not begin, and a repeat finds nothing half done.
    await record(workspace, [{ event: startedEvent(session) }])
    await save(workspace, session)
    return { session, ended }
  })
}

/** Ends the live sessions that are meant; which these were. */
export function endSessions(workspace: Workspace, isMeant: (session: Session) => boolean): Promise<Session[]> {
  return withLock(join(placesOf(workspace).own, 'sessions.lock'), async () => {
    return end(workspace, (await liveSessions(workspace)).filter(isMeant))
  })
}

async function end(workspace: Workspace, sessions: readonly Session[]): Promise<Session[]> {
  const endedAt = new Date(workspace.clock.now()).toISOString()
  const ended = sessions.map(it => ({ ...it, endedAt }))
  await record(
    workspace,
    ended.map(({ id, intent }) => ({ event: { event: 'session-ended', session: id, intent } })),
  )
  for (const session of ended) await save(workspace, session)
  return ended
}

async function newSession({ git, clock }: Workspace, wish: SessionWish): Promise<Session> {
  const at = new Date(clock.now()).toISOString()
  return {
    id: clock.uuid(),
    kind: wish.agent === null ? 'person' : 'agent',
    ...wish,
    declared: wish.agent !== null,
    claimedAt: at,
    heartbeatAt: at,
    // The command that opens it is gone at once; the session stays until the next one, or until its intent rests.
    pid: null,
    host: clock.host,
    baseCommit: await git.tryAsk(headOid),
    endedAt: null,
  }
}

function startedEvent({ id, intent, agent }: Session): LedgerEvent {
  return { event: 'session-started', session: id, intent, ...(agent === null ? {} : { agent }) }
}

// Who lives is asked at every write, so the ended ones, of which there will be many, lie apart.
async function save(workspace: Workspace, session: Session): Promise<void> {
  const { sessions } = placesOf(workspace)
  const live = join(sessions, `${session.id}.json`)
  const path = session.endedAt === null ? live : join(sessions, 'ended', `${session.id}.json`)
  await workspace.files.replace(path, `${JSON.stringify(session, null, 2)}\n`, 0o600)
  if (path !== live) await workspace.files.remove(live)
}

async function readingOf({ files }: Workspace, path: string): Promise<ReturnType<typeof readSession>> {
  const bytes = await files.read(path).catch((thrown: unknown) => String(thrown))
  if (bytes !== null && typeof bytes !== 'string') return readSession(path, bytes.toString('utf8'))
  return { problem: { file: path, line: null, expected: 'a session as JSON', found: bytes ?? 'nothing' } }
}
