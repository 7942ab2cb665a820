import { agentNames, type Session } from '../intents/session.ts'
import { withLock } from '../io/files/lock.ts'
import type { Problem } from '../findings/finding.ts'
import { releaseClaim } from './claims.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { readSessionFiles, saveSession } from './session-store.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { SESSIONS_LOCK_WAIT_MS_MAX } from '../timing/thresholds.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'

/** The live sessions of this worktree, oldest first, without damaged files: `readSessions` has those. */
export async function liveSessions(workspace: Workspace): Promise<Session[]> {
  const { sessions } = await readSessions(workspace)
  return sessions.filter(it => it.endedAt === null)
}

/** The names of the agents that have a live session in this worktree. */
export async function liveAgentNames(workspace: Workspace): Promise<string[]> {
  return agentNames(await liveSessions(workspace))
}

/** The sessions in the folder of live sessions, and a problem for every damaged file in it. */
export async function readSessions(workspace: Workspace): Promise<{ sessions: Session[]; problems: Problem[] }> {
  const readings = await readSessionFiles(workspace)
  const sessions = readings.flatMap(it => ('session' in it ? [it.session] : []))
  return {
    sessions: sessions.sort((a, b) => (a.claimedAt < b.claimedAt ? -1 : 1)),
    problems: readings.flatMap(it => ('problem' in it ? [it.problem] : [])),
  }
}

/** Ends the live sessions that match, releases their claims, and returns the ended sessions. */
export function endSessions(workspace: Workspace, isMatch: (session: Session) => boolean): Promise<Session[]> {
  return withSessionsLock(workspace, async () =>
    endUnderLock(workspace, (await liveSessions(workspace)).filter(isMatch)),
  )
}

/** Runs `work` while no other process begins or ends a session of this worktree. */
export function withSessionsLock<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  return withLock(ownPath(workspace, 'sessions.lock'), work, { waitMsMax: SESSIONS_LOCK_WAIT_MS_MAX })
}

/** Ends sessions. The caller must hold the sessions' lock. */
export async function endUnderLock(workspace: Workspace, sessions: readonly Session[]): Promise<Session[]> {
  const endedAt = new Date(workspace.clock.now()).toISOString()
  const ended = sessions.map(it => ({ ...it, endedAt }))
  const drafts = ended.map(({ id, intent }) => ({ event: { event: 'session-ended', session: id, intent } as const }))
  await appendRecords(workspace, drafts)
  for (const session of ended) await saveSession(workspace, session)
  for (const session of ended) await releaseClaim(workspace, session)
  return ended
}

/** The live session of this id; for null, the only live session of the worktree. Throws when that is not one. */
export async function resolveSession(workspace: Workspace, id: string | null): Promise<Session> {
  const sessions = await liveSessions(workspace)
  const [only, ...others] = sessions
  if (id === null && only && others.length === 0) return only
  const found = sessions.find(it => it.id === id)
  if (found) return found
  const known = sessions.map(it => `  ${printable(it.id)}  ${it.intent}  ${printable(it.agent ?? 'a person')}`)
  const what =
    id !== null
      ? `No session ${printable(id)} is live in this worktree.`
      : known.length === 0
        ? 'No session is live in this worktree.'
        : 'Several sessions are live in this worktree: name one.'
  throw new KotefError('unknown-session', [what, ...(known.length > 0 ? ['Live sessions:', ...known] : [])].join('\n'))
}
