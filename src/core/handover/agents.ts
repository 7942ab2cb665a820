/** The names of agents in messages and sessions; another spelling is another, unknown word. */
export const HANDOVER_AGENTS = [
  ...(['SpecAgent', 'Architect', 'Planner', 'Designer', 'Researcher', 'Coder', 'Reviewer'] as const),
  ...(['QA', 'Security', 'Integrator', 'Docs', 'Orchestrator'] as const),
] as const

export type HandoverAgent = (typeof HANDOVER_AGENTS)[number]

/** A word as the name of an agent; null for any other word. */
export function handoverAgent(word: unknown): HandoverAgent | null {
  return HANDOVER_AGENTS.find(it => it === word) ?? null
}

export const MESSAGE_STATUSES = ['OK', 'BLOCKED', 'NEEDS_INFO', 'NEEDS_DECISION', 'FAIL'] as const

export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** The one agent that may answer with a status; null when every agent may. */
export function soleAnswerer(status: MessageStatus): HandoverAgent | null {
  if (status === 'NEEDS_INFO') return 'Researcher'
  return status === 'NEEDS_DECISION' ? 'Security' : null
}

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

/** True for a path outside of all sessions that the agent of a role may write. */
export function mayWriteOutside(path: string, role: HandoverAgent): boolean {
  return SOURCE_WRITERS.includes(role) || (role === 'Docs' && isProse(path))
}

/** What a role means, as a sentence for its agent. */
export function roleText({ role, session }: HandoverRole): string {
  const own = `${SESSIONS_FOLDER}/${session}/`
  const also = SOURCE_WRITERS.includes(role) ? 'source, and ' : role === 'Docs' ? 'documents, and ' : 'only '
  return `Your role is ${role}: you write ${also}below ${own}; other sessions are read-only.`
}

/** The agents whose OK a task may need before it is completed. */
export const GATE_AGENTS: readonly HandoverAgent[] = ['Reviewer', 'QA', 'Security']

/** The agents that write source. */
export const SOURCE_WRITERS: readonly HandoverAgent[] = ['Coder', 'Integrator']

// At a release the Docs agent brings the README up to date.
function isProse(path: string): boolean {
  return path.startsWith('docs/') || /\.(?:md|mdx|rst|adoc|txt)$/i.test(path)
}
