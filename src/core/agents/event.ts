/** What an agent reports by its hook, in one form for all agents. */
export type AgentEvent = Activity & {
  /** The agent's own id of its run; untrusted text, like every value of a payload. */
  readonly session: string
  readonly agent: string
  /** As Agent Trace spells it, such as `anthropic/claude-…`; null when the payload names none. */
  readonly model: string | null
  /** The agent's working folder; null for the folder in which the hook runs. */
  readonly cwd: string | null
  /** The file in which the agent keeps its conversation, from which a model can be read. */
  readonly transcript: string | null
}

/** `turn-end`: the agent waits or got a prompt, so no call is open but in `busy` lanes. `read-end`: it only read. */
export type Activity =
  | { readonly event: 'session-start' | 'session-end' | 'model-named' }
  | { readonly event: 'turn-end'; readonly busy?: readonly string[] }
  | ({ readonly event: 'exec-start' | 'exec-end' | 'read-end' } & CallIdentity)
  | ({ readonly event: 'write-start' | 'write-failed' } & WrittenPaths & CallIdentity)
  | ({
      readonly event: 'write'
      /** The blob oid of the file before the write; null: no file; undefined: the payload does not say. */
      readonly before: string | null | undefined
      /** The blob oid of the content that the agent wrote; absent when the payload does not say. */
      readonly after?: string
    } & WrittenPaths &
      CallIdentity)

/** The files that one call writes: a patch may have several, every other tool has one. */
type WrittenPaths = { readonly paths: readonly string[] }

export type CallIdentity = {
  /** The agent's id of this use of a tool; null when it has none. */
  readonly call: string | null
  /** The main agent or a subagent: within one lane a call ends when the next one begins. */
  readonly lane: string
}
