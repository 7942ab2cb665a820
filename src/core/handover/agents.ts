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

/** True for a path outside of all sessions that the agent of a role may write. */
export function mayWriteOutside(path: string, role: HandoverAgent): boolean {
  return SOURCE_WRITERS.includes(role) || (role === 'Docs' && isProse(path))
}

/** The agents whose OK a task may need before it is completed. */
export const GATE_AGENTS: readonly HandoverAgent[] = ['Reviewer', 'QA', 'Security']

/** The agents that write source. */
export const SOURCE_WRITERS: readonly HandoverAgent[] = ['Coder', 'Integrator']

// At a release the Docs agent brings the README up to date.
function isProse(path: string): boolean {
  return path.startsWith('docs/') || /\.(?:md|mdx|rst|adoc|txt)$/i.test(path)
}
