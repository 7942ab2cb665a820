import { agentNames, type Session } from '../../../core/intents/session.ts'
import { withLock } from '../../io/files/lock.ts'
import type { Problem } from '../../../core/base/finding.ts'
import { releaseClaim } from './claims.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { readSessionFiles, saveSession } from './session-store.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { isProcessAlive } from '../../io/process/processes.ts'
import { SESSIONS_LOCK_WAIT_MS_MAX } from '../../../core/base/thresholds.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { printable } from '../../../core/base/printable.ts'

/** The live sessions of this worktree, oldest first, without damaged files: `readSessions` has those. */
export async function liveSessions(workspace: Workspace): Promise<Session[]> {
  return (await openSessions(workspace)).filter(it => !isOrphaned(workspace, it))
}

/** The sessions of this worktree that nobody has ended; those whose process is gone are among them. */
async function openSessions(workspace: Workspace): Promise<Session[]> {
  return (await readSessions(workspace)).sessions.filter(it => it.endedAt === null)
}

/** True for a session whose process is gone without having ended it. */
export function isOrphaned({ clock }: Pick<Workspace, 'clock'>, { pid, host }: Session): boolean {
  return pid !== null && host === clock.host && !isProcessAlive(pid)
}

/** True for a session that has shown no sign of life for the time after which its claim is stale. */
export function isSilent({ clock }: Pick<Workspace, 'clock'>, { heartbeatAt }: Session, ttlMinutes: number): boolean {
  return Math.abs(clock.now() - Date.parse(heartbeatAt)) > ttlMinutes * 60_000
}

/** Ends the sessions whose process is gone, but for `resumed`. The caller must hold the sessions' lock. */
export async function endOrphans(workspace: Workspace, resumed: string | null = null): Promise<void> {
  const orphans = (await openSessions(workspace)).filter(it => it.id !== resumed && isOrphaned(workspace, it))
  if (orphans.length > 0) await endUnderLock(workspace, orphans)
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
    endUnderLock(workspace, (await openSessions(workspace)).filter(isMatch)),
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

/** The open session that an id or its beginning means; for null, the only one here. Throws when that is not one. */
export async function resolveSession(workspace: Workspace, id: string | null): Promise<Session> {
  const sessions = await openSessions(workspace)
  const exact = sessions.filter(it => it.id === id)
  const meant = exact.length > 0 ? exact : sessions.filter(it => it.id.startsWith(id ?? ''))
  const [only] = meant
  if (only && meant.length === 1) return only
  const known = sessions.map(it => `  ${printable(it.id)}  ${it.intent}  ${printable(it.agent ?? 'a person')}`)
  throw new KotefError(
    'unknown-session',
    [unresolvedWords(id, meant.length), ...(known.length > 0 ? ['Sessions here:', ...known] : [])].join('\n'),
  )
}

function unresolvedWords(id: string | null, meant: number): string {
  if (id === null) return meant === 0 ? 'No session is live in this worktree.' : `${SEVERAL}: name one.`
  const name = printable(id)
  return meant === 0 ? `No session ${name} is live in this worktree.` : `${SEVERAL}, and ${meant} begin with ${name}.`
}

const SEVERAL = 'Several sessions are live in this worktree'
