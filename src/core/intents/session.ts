/** A run of an agent, or a person's stretch of work, in one worktree: `<git-dir>/kotef/sessions/<id>.json`. */
export type Session = {
  readonly id: string
  readonly kind: 'agent' | 'person'
  /** The agent's name, such as `aider`; null for a person. */
  readonly agent: string | null
  readonly model: string | null
  /** The intent of the session; it never changes. */
  readonly intent: string
  /** True for an agent without hooks, declared with `kotef intent start --agent`. */
  readonly declared: boolean
  /** ISO 8601. */
  readonly claimedAt: string
  readonly heartbeatAt: string
  readonly pid: number | null
  readonly host: string
  readonly baseCommit: string | null
  /** Its role in a session of the handover, such as Coder; absent or null without one. */
  readonly handover?: { readonly role: string; readonly session: string } | null | undefined
  /** When it ended (ISO 8601); null while it is live. */
  readonly endedAt: string | null
}

/** The intents of some sessions, each once. */
export function sessionIntents(sessions: readonly Pick<Session, 'intent'>[]): string[] {
  return [...new Set(sessions.map(it => it.intent))]
}

/** The agents among the holders of some sessions, by name. */
export function agentNames(sessions: readonly Pick<Session, 'kind' | 'agent'>[]): string[] {
  return sessions.flatMap(it => (it.kind === 'agent' ? [it.agent ?? 'an agent'] : []))
}
