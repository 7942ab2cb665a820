import { handoverAgent, type HandoverAgent, mayWriteOutside, SOURCE_WRITERS } from './agents.ts'

// What the rest of kotef may ask of the handover: which paths are its own, the role of a session, and what that may
// write. Judgements of changes are in `world/handover/judge-changes.ts`. The git hooks load this file.

/** The folder of all sessions, at the top of the repository. */
export const SESSIONS_FOLDER = '.agents-work'

// The git hooks need its name, and not the schemas of its content.
export const TASKS_FILE = 'tasks.yaml'

/** The session that a path belongs to, and its place in there; null for a path outside of every session. */
export function sessionOfPath(path: string): { readonly session: string; readonly file: string } | null {
  const [, session, file] = /^\.agents-work\/([^/]+)\/(.+)$/.exec(path) ?? []
  return session !== undefined && file !== undefined ? { session, file } : null
}

/** The role of a kotef session in a session of the handover; without one, `role` is null. */
export type HandoverRole = { readonly role: HandoverAgent; readonly session: string }

/** The role in a session file; null without one. A name that is unknown gets the role that may write the least. */
export function handoverRole(
  kept: { readonly role: string; readonly session: string } | null | undefined,
): HandoverRole | null {
  return kept ? { role: handoverAgent(kept.role) ?? 'Orchestrator', session: kept.session } : null
}

/** Why an agent may not write a path, as the end of a sentence; null when it may as far as its role goes. */
export function whyNotWritten(path: string, { role, session }: HandoverRole): string | null {
  const place = sessionOfPath(path)
  if (place) return place.session === session ? null : `a ${role} may only read the session ${place.session}`
  if (path.startsWith(`${SESSIONS_FOLDER}/`)) return `it belongs to no session`
  if (mayWriteOutside(path, role)) return null
  return `a ${role} writes only below ${SESSIONS_FOLDER}/${session}/`
}

/** What a role means, as a sentence for its agent. */
export function roleText({ role, session }: HandoverRole): string {
  const own = `${SESSIONS_FOLDER}/${session}/`
  const also = SOURCE_WRITERS.includes(role) ? 'source, and ' : role === 'Docs' ? 'documents, and ' : 'only '
  return `Your role is ${role}: you write ${also}below ${own}; other sessions are read-only.`
}

/** An agent's session with its role in a handover; `by` is the id of the session, null where it is unknown. */
export type RoleWriter = HandoverRole & { readonly by: string | null }

/** A path that an agent wrote, and why its role may not. */
export type RoleBreach = { readonly path: string; readonly writer: RoleWriter; readonly why: string }

/** The writer of each line of a text; null for a line without a role. */
export type LineWriters = readonly (RoleWriter | null)[]
