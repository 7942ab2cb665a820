import { agentNames, type Session } from '../intents/session.ts'
import { withLock } from '../io/files/lock.ts'
import type { Problem } from '../findings/finding.ts'
import { releaseClaim } from './claims.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { saveSession, readSessionFiles } from './session-store.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { SESSIONS_LOCK_WAIT_MS_MAX } from '../timing/thresholds.ts'

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
  await appendRecords(
    workspace,
    ended.map(({ id, intent }) => ({ event: { event: 'session-ended', session: id, intent } })),
  )
  for (const session of ended) await saveSession(workspace, session)
  for (const session of ended) await releaseClaim(workspace, session)
  return ended
}
