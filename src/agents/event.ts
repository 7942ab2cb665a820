/** What an agent's hook tells of, whichever agent it is. */
export type AgentEvent = Activity & {
  /** The agent's own name for its run; foreign text, like all that a payload says. */
  readonly session: string
  readonly agent: string
  /** As Agent Trace spells it, such as `anthropic/claude-…`; null when the payload does not say. */
  readonly model: string | null
  /** Where the agent works; null stands for where the hook runs. */
  readonly cwd: string | null
  /** A file in which the agent keeps its conversation, where a model may be looked up. */
  readonly transcript: string | null
}

/** `turn-end`: the agent waits for a person, or was just spoken to, so nothing is under way but in `busy` lanes. */
export type Activity =
  | { readonly event: 'session-start' | 'session-end' | 'model-named' }
  | { readonly event: 'turn-end'; readonly busy?: readonly string[] }
  | ({ readonly event: 'exec-start' | 'exec-end' } & CallIdentity)
  | ({ readonly event: 'write-start' | 'write-failed' } & WrittenPaths & CallIdentity)
  | ({
      readonly event: 'write'
      /** The blob oid of what stood there before the write (null: nothing); undefined when the payload does not say. */
      readonly before: string | null | undefined
    } & WrittenPaths &
      CallIdentity)

/** The files that one call writes: a patch may have several, all other tools have one. */
type WrittenPaths = { readonly paths: readonly string[] }

export type CallIdentity = {
  /** What the agent calls this one use of a tool, or null. */
  readonly call: string | null
  /** Of what takes place in one lane, each call is over when the next one begins. */
  readonly lane: string
}

/** What every event has, of a payload. */
export type EventHeader = Omit<AgentEvent, keyof Activity | keyof CallIdentity>
