import { join } from 'node:path'
import { readSession } from '../intents/session-file.ts'
import type { Session } from '../intents/session.ts'
import { fileNameFor } from '../io/file-name.ts'
import { KotefError } from '../report/failure.ts'
import type { Problem } from '../report/finding.ts'
import { problemLine } from '../report/lines.ts'
import { quoted } from '../report/printable.ts'
import type { Workspace } from './workspace.ts'

// Agents' hooks ask this with every call of a tool: nothing is loaded here that they don't need.

/** What it takes to find sessions; a whole workspace will do. */
export type SessionPlace = Pick<Workspace, 'gitDir' | 'files'>

type Reading = { readonly session: Session } | { readonly problem: Problem }

/** The session of a name that lives in this worktree, or null; refused when its file is damaged and nobody can say. */
export async function sessionNamed(place: SessionPlace, id: string): Promise<Session | null> {
  return found(await readAt(place, sessionPath(place, id)))
}

/** A session of this worktree that is over, or null. */
export async function endedSession(place: SessionPlace, id: string): Promise<Session | null> {
  return found(await readAt(place, endedPath(place, id)))
}

function found(reading: Reading | null): Session | null {
  if (!reading) return null
  if ('session' in reading) return reading.session
  const { problem } = reading
  throw new KotefError('orchestration-unavailable', `A session can't be read: ${problemLine(problem)}`, {
    hint: `Remove it, and select an intent again: \`rm ${quoted(problem.file)}\``,
  })
}

/** The session files of a worktree that have not been put aside, as they are read. */
export async function sessionReadings(place: SessionPlace): Promise<Reading[]> {
  const folder = folderOf(place)
  const names = (await place.files.list(folder)).filter(it => it.endsWith('.json')).sort()
  const readings = await Promise.all(names.map(name => readAt(place, join(folder, name))))
  return readings.filter(it => it !== null)
}

// Who lives is asked at every write, so the ended ones, of which there will be many, lie apart.
/** Writes a session down: where those are that live, or where those are that are over. */
export async function saveSession(place: SessionPlace, session: Session): Promise<void> {
  const [live, ended] = [sessionPath(place, session.id), endedPath(place, session.id)]
  const [path, other] = session.endedAt === null ? [live, ended] : [ended, live]
  await place.files.replace(path, `${JSON.stringify(session, null, 2)}\n`, 0o600)
  await place.files.remove(other)
  if (path === ended) await place.files.remove(beatPath(place, session.id))
}

/** Takes down that a session is at work, at most once a minute; nothing when no such session lives. */
export async function beat(place: SessionPlace & Pick<Workspace, 'clock'>, id: string): Promise<void> {
  const { files, clock } = place
  if (!(await isBound(place, id))) return
  const last = await lastBeat(place, id)
  if (last !== null && Math.abs(clock.now() - Date.parse(last)) < BEAT_MS) return
  await files.put(beatPath(place, id), new Date(clock.now()).toISOString())
}

/** True when a session of this name lives in this worktree, or its file is damaged. */
export async function isBound(place: SessionPlace, id: string): Promise<boolean> {
  return (await place.files.modifiedAt(sessionPath(place, id))) !== null
}

const BEAT_MS = 60_000

// A heart beats in a file of its own: else a session that ends at that very moment could come to life again.
async function readAt(place: SessionPlace, path: string): Promise<Reading | null> {
  const bytes = await place.files.read(path).catch((thrown: unknown) => String(thrown))
  if (bytes === null) return null
  if (typeof bytes === 'string') {
    return { problem: { file: path, line: null, expected: 'a session as JSON', found: bytes } }
  }
  const reading = readSession(path, bytes.toString('utf8'))
  if ('problem' in reading) return reading
  const { session } = reading
  const last = session.endedAt === null ? await lastBeat(place, session.id) : null
  return last !== null && last > session.heartbeatAt ? { session: { ...session, heartbeatAt: last } } : reading
}

async function lastBeat(place: SessionPlace, id: string): Promise<string | null> {
  const bytes = await place.files.read(beatPath(place, id)).catch(() => null)
  const text = bytes?.toString('utf8') ?? ''
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

function sessionPath(place: SessionPlace, id: string): string {
  return join(folderOf(place), `${fileNameFor(id)}.json`)
}

function endedPath(place: SessionPlace, id: string): string {
  return join(folderOf(place), 'ended', `${fileNameFor(id)}.json`)
}

function beatPath(place: SessionPlace, id: string): string {
  return join(folderOf(place), `${fileNameFor(id)}.beat`)
}

function folderOf({ gitDir }: SessionPlace): string {
  return join(gitDir, 'kotef/sessions')
}
