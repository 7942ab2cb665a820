import type { ShellEffects } from './shell/effect.ts'
import type { ToolClass } from '../agents/tool-classes.ts'
import type { Target } from '../agents/target.ts'

/** One use of a tool that an agent asks for, whichever agent it is. All of it is foreign text. */
export type ToolCall = {
  readonly agent: string
  readonly session: string
  readonly tool: string
  readonly class: ToolClass
  /** What it says that it writes, as it was spelled; relative ones begin where the agent works. */
  readonly targets: readonly Target[]
  /** What a shell is to run, as it was understood; null for every other tool. */
  readonly shell: ShellEffects | null
}
