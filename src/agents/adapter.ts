import type { AgentEvent } from './event.ts'
import type { Payload } from '../text/payload.ts'

/** The point of its work at which an agent runs its hook. All of it is foreign text. */
export type HookPoint =
  | { readonly at: 'before-tool' | 'after-tool'; readonly tool: string; readonly input: unknown }
  | { readonly at: 'prompt' | 'session-start' | 'compacted' | 'session-end' }
  | { readonly at: 'stop'; readonly isRepeated: boolean }
  /** Somebody changes the agent's own settings, where its hooks are switched on; null where it does not say which. */
  | { readonly at: 'settings-change'; readonly path: string | null }

/** A payload as it was understood: `event` is what is recorded, `moment` what is answered; null stands for nothing. */
export type DecodeResult =
  | {
      readonly session: string
      readonly agent: string
      readonly cwd: string | null
      readonly model: string | null
      readonly event: AgentEvent | null
      readonly point: HookPoint | null
    }
  | { readonly problem: string }

/** What is said to an agent. `context` is for its model to read; a denial always has its reason. */
export type Reply = { readonly kind: 'silence' } | { readonly kind: 'context' | 'deny' | 'ask'; readonly text: string }

/** What a hook prints, and how it ends, for the agent to understand. */
export type HookOutput = { readonly stdout: string; readonly stderr: string; readonly exit: number }

/** One agent's way to speak with its hooks. */
export type Adapter = {
  readonly decode: (payload: Payload) => DecodeResult
  /**
   * `moment` is null where the payload could not be understood: then the only reply is a denial, which must block
   * whatever it was.
   */
  readonly encode: (reply: Reply, moment: HookPoint | null) => HookOutput
}
