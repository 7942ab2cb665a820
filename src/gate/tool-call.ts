import type { ShellEffects } from './shell/effect.ts'
import type { ToolClass } from '../agents/tool-classes.ts'
import type { Target } from '../agents/target.ts'

/** One use of a tool by any agent, as the gate judges it. All of it is untrusted text. */
export type ToolCall = {
  readonly agent: string
  readonly session: string
  readonly tool: string
  readonly class: ToolClass
  /** The paths that it names as written, as spelled; relative ones start in the agent's working folder. */
  readonly targets: readonly Target[]
  /** The effects of the command that it runs; null for a tool that runs none. */
  readonly shell: ShellEffects | null
}
