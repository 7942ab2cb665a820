import { join } from 'node:path'
import { readSession } from '../intents/session-file.ts'
import type { Session } from '../intents/session.ts'
import { fileNameFor } from '../io/files/file-name.ts'
import { KotefError } from '../findings/failure.ts'
import type { Problem } from '../findings/finding.ts'
import { problemLine } from '../report/finding-lines.ts'
import { shellQuoted } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'

// Agents' hooks ask this with every call of a tool: nothing is loaded here that they don't need.

/** What it takes to find sessions; a whole workspace will do. */
export type SessionStore = Pick<Workspace, 'gitDir' | 'files'>

type SessionReading = { readonly session: Session } | { readonly problem: Problem }

/** The session of a name that lives in this worktree, or null; refused when its file is damaged and nobody can say. */
export async function findSession(store: SessionStore, id: string): Promise<Session | null> {
  return sessionOrThrow(await readSessionFile(store, liveSessionPath(store, id)))
}

/** A session of this worktree that is over, or null. */
export async function findEndedSession(store: SessionStore, id: string): Promise<Session | null> {
  return sessionOrThrow(await readSessionFile(store, endedSessionPath(store, id)))
}

function sessionOrThrow(reading: SessionReading | null): Session | null {
  if (!reading) return null
  if ('session' in reading) return reading.session
  const { problem } = reading
  throw new KotefError('orchestration-unavailable', `A session can't be read: ${problemLine(problem)}`, {
    hint: `Remove it, and select an intent again: \`rm ${shellQuoted(problem.file)}\``,
  })
}

/** The session files of a worktree that have not been put aside, as they are read. */
export async function readSessionFiles(store: SessionStore): Promise<SessionReading[]> {
  const folder = sessionsFolder(store)
  const names = (await store.files.list(folder)).filter(it => it.endsWith('.json')).sort()
  const readings = await Promise.all(names.map(name => readSessionFile(store, join(folder, name))))
  return readings.filter(it => it !== null)
}

// Who lives is asked at every write, so the ended ones, of which there will be many, lie apart.
/** Writes a session down: where those are that live, or where those are that are over. */
export async function saveSession(store: SessionStore, session: Session): Promise<void> {
  const [live, ended] = [liveSessionPath(store, session.id), endedSessionPath(store, session.id)]
  const [path, other] = session.endedAt === null ? [live, ended] : [ended, live]
  await store.files.replace(path, `${JSON.stringify(session, null, 2)}\n`, 0o600)
  await store.files.remove(other)
  if (path === ended) await store.files.remove(heartbeatPath(store, session.id))
}

/** Takes down that a session is at work, at most once a minute; nothing when no such session lives. */
export async function recordHeartbeat(store: SessionStore & Pick<Workspace, 'clock'>, id: string): Promise<void> {
  const { files, clock } = store
  if (!(await hasSession(store, id))) return
  const last = await lastHeartbeat(store, id)
  if (last !== null && Math.abs(clock.now() - Date.parse(last)) < HEARTBEAT_MS) return
  await files.put(heartbeatPath(store, id), new Date(clock.now()).toISOString())
}

/** True when a session of this name lives in this worktree, or its file is damaged. */
export async function hasSession(store: SessionStore, id: string): Promise<boolean> {
  return (await store.files.modifiedAt(liveSessionPath(store, id))) !== null
}

const HEARTBEAT_MS = 60_000

// A heart beats in a file of its own: else a session that ends at that very moment could come to life again.
async function readSessionFile(store: SessionStore, path: string): Promise<SessionReading | null> {
  const bytes = await store.files.read(path).catch((thrown: unknown) => String(thrown))
  if (bytes === null) return null
  if (typeof bytes === 'string') {
    return { problem: { file: path, line: null, expected: 'a session as JSON', found: bytes } }
  }
  const reading = readSession(path, bytes.toString('utf8'))
  if ('problem' in reading) return reading
  const { session } = reading
  const last = session.endedAt === null ? await lastHeartbeat(store, session.id) : null
  return last !== null && last > session.heartbeatAt ? { session: { ...session, heartbeatAt: last } } : reading
}

async function lastHeartbeat(store: SessionStore, id: string): Promise<string | null> {
  const bytes = await store.files.read(heartbeatPath(store, id)).catch(() => null)
  const text = bytes?.toString('utf8') ?? ''
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

function liveSessionPath(store: SessionStore, id: string): string {
  return join(sessionsFolder(store), `${fileNameFor(id)}.json`)
}

function endedSessionPath(store: SessionStore, id: string): string {
  return join(sessionsFolder(store), 'ended', `${fileNameFor(id)}.json`)
}

function heartbeatPath(store: SessionStore, id: string): string {
  return join(sessionsFolder(store), `${fileNameFor(id)}.beat`)
}

function sessionsFolder({ gitDir }: SessionStore): string {
  return join(gitDir, 'kotef/sessions')
}
