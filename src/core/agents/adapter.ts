import type { AgentEvent } from './event.ts'
import type { Payload } from '../base/payload.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import type { ToolUse } from './tool-use.ts'

/** The point of its work at which an agent runs its hook. All of it is untrusted text. */
export type HookPoint =
  | ({ readonly at: 'before-tool' | 'after-tool'; readonly hasFailed?: true } & ToolUse)
  | { readonly at: 'prompt' | 'session-start' | 'compacted' | 'session-end' }
  /** `endsTurn`: the agent can't be sent back, and no other hook says that a person speaks next. */
  | { readonly at: 'stop'; readonly isRepeated: boolean; readonly endsTurn?: true }
  /** The agent's own settings change, where its hooks are switched on; null when the payload names no file. */
  | { readonly at: 'settings-change'; readonly path: string | null }

/** A decoded payload: `event` is what to record, `point` is what to answer; each is null when there is nothing. */
export type HookCall = {
  readonly session: string
  readonly agent: string
  readonly cwd: string | null
  readonly model: string | null
  readonly event: AgentEvent | null
  readonly point: HookPoint | null
  /** How the tool call ended after which the hook runs; null when the payload does not say. */
  readonly outcome?: ToolOutcome | null
}

export type DecodeResult = HookCall | { readonly problem: string }

/** The answer to a hook. `context` is for the agent's model to read; a denial always has a reason. */
export type Reply = { readonly kind: 'silence' } | { readonly kind: 'context' | 'deny' | 'ask'; readonly text: string }

/** What the hook's process prints and the code it exits with, in the form that the agent expects. */
export type HookOutput = { readonly stdout: string; readonly stderr: string; readonly exit: number }

/** One agent's hook protocol: its payloads decoded, and replies encoded for it. */
export type Adapter = {
  readonly decode: (payload: Payload) => DecodeResult
  /**
   * `point` is null when the payload could not be decoded: then the only reply is a denial, and its output must block
   * the agent at whatever point it is.
   */
  readonly encode: (reply: Reply, point: HookPoint | null) => HookOutput
}

/** A reply that has a text. */
export type ReplyWithText = Exclude<Reply, { kind: 'silence' }>

/** The output of a hook that prints nothing, and exits with 0. */
export const NO_OUTPUT: HookOutput = { stdout: '', stderr: '', exit: 0 }

/** The output of a hook that prints one JSON object on a line. */
export function jsonOutput(value: object): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** The text of a reply, never empty in a denial: some agents ignore a denial without a reason. */
export function replyText({ kind, text }: ReplyWithText): string {
  return kind === 'context' || text.trim() !== '' ? text : 'kotef refuses this.'
}
