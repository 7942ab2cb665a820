import { readSession } from '../../../core/intents/session-file.ts'
import type { Session } from '../../../core/intents/session.ts'
import { fileNameFor } from '../../io/files/file-name.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { Problem } from '../../../core/base/finding.ts'
import { problemLine } from '../../../core/report/finding-lines.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../../io/worktree/workspace.ts'
import { HEARTBEAT_MS } from '../../../core/base/thresholds.ts'

// Agents' hooks load this file with every tool call: it imports no more than they need.

type SessionReading = { readonly session: Session } | { readonly problem: Problem }

/** The live session with an id, in this worktree; null when there is none. Throws when its file is damaged. */
export async function findSession(access: GitDirAccess, id: string): Promise<Session | null> {
  return sessionOrThrow(await readSessionFile(access, 'live', sessionFileName(id)))
}

/** A session of this worktree that has ended; null when there is none. Throws when its file is damaged. */
export async function findEndedSession(access: GitDirAccess, id: string): Promise<Session | null> {
  return sessionOrThrow(await readSessionFile(access, 'ended', sessionFileName(id)))
}

function sessionOrThrow(reading: SessionReading | null): Session | null {
  if (!reading) return null
  if ('session' in reading) return reading.session
  const { problem } = reading
  throw new KotefError('orchestration-unavailable', `A session can't be read: ${problemLine(problem)}`, {
    hint: `Remove it, and select an intent again: \`rm ${shellQuoted(problem.file)}\``,
  })
}

/** The files of a worktree's live sessions, each as a session or as the problem with it. */
export async function readSessionFiles(access: GitDirAccess): Promise<SessionReading[]> {
  const names = await sessionsDir(access, 'live').names()
  const readings = await Promise.all(names.map(name => readSessionFile(access, 'live', name)))
  return readings.filter(it => it !== null)
}

/** Writes a session's file, into the folder of the live or of the ended sessions. */
export async function saveSession(access: GitDirAccess, session: Session): Promise<void> {
  const name = sessionFileName(session.id)
  const [state, other] = session.endedAt === null ? (['live', 'ended'] as const) : (['ended', 'live'] as const)
  await sessionsDir(access, state).put(name, session)
  await sessionsDir(access, other).remove(name)
  if (state === 'ended') await access.files.remove(heartbeatPath(access, session.id))
}

/** Records that a session is at work, at most once a minute. Does nothing when no such session is live. */
export async function recordHeartbeat(access: GitDirAccess & Pick<Workspace, 'clock'>, id: string): Promise<void> {
  const { files, clock } = access
  if (!(await hasSession(access, id))) return
  const last = await lastHeartbeat(access, id)
  if (last !== null && Math.abs(clock.now() - Date.parse(last)) < HEARTBEAT_MS) return
  await files.put(heartbeatPath(access, id), new Date(clock.now()).toISOString())
}

/** True when a session with this id is live in this worktree, or its file is damaged. */
export async function hasSession(access: GitDirAccess, id: string): Promise<boolean> {
  return (await access.files.modifiedAt(sessionsDir(access, 'live').path(sessionFileName(id)))) !== null
}

// The heartbeat has a file of its own: a heartbeat written into the session's file could revive a session that ends
// at the same moment.
async function readSessionFile(
  access: GitDirAccess,
  state: SessionState,
  name: string,
): Promise<SessionReading | null> {
  const sessions = sessionsDir(access, state)
  const unreadable = (thrown: unknown): SessionReading => ({
    problem: { file: sessions.path(name), line: null, expected: 'a session as JSON', found: String(thrown) },
  })
  const reading = await sessions.get(name).catch(unreadable)
  if (!reading || 'problem' in reading) return reading
  const { session } = reading
  const last = session.endedAt === null ? await lastHeartbeat(access, session.id) : null
  return last !== null && last > session.heartbeatAt ? { session: { ...session, heartbeatAt: last } } : reading
}

async function lastHeartbeat(access: GitDirAccess, id: string): Promise<string | null> {
  const bytes = await access.files.read(heartbeatPath(access, id)).catch(() => null)
  const text = bytes?.toString('utf8') ?? ''
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

type SessionState = 'live' | 'ended'

// Live sessions are read at every write. Ended ones become many, so they have a folder of their own.
function sessionsDir(access: GitDirAccess, state: SessionState) {
  const folder = state === 'live' ? ['sessions'] : ['sessions', 'ended']
  const parse = (text: string, path: string): SessionReading => readSession(path, text)
  return recordDir<SessionReading, Session>(access, { folder, fileName: /\.json$/, parse, isDurable: true })
}

function sessionFileName(id: string): string {
  return `${fileNameFor(id)}.json`
}

function heartbeatPath(access: GitDirAccess, id: string): string {
  return ownPath(access, 'sessions', `${fileNameFor(id)}.beat`)
}
