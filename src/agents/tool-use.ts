import { objectOrNull, type Payload } from '../text/payload.ts'
import type { Target } from './target.ts'
import { type ToolClass, toolClassOf } from './tool-classes.ts'
import { targetsIn } from './tool-targets.ts'

/** One use of a tool, decoded once: the adapter records it by this, and the gate judges it by this. */
export type ToolUse = {
  readonly tool: string
  readonly input: unknown
  readonly class: ToolClass
  /** The paths that the input names as written; empty for a tool that reads, or that runs a command. */
  readonly targets: readonly Target[]
}

/** Decodes one use of a tool, whichever agent it comes from. */
export function toolUse(tool: string, input: unknown): ToolUse {
  const fields = inputFields(input)
  const kind = toolClassOf(tool, fields)
  const writes = kind === 'write' || kind === 'unknown'
  return { tool, input, class: kind, targets: writes ? targetsIn(fields, { isKnown: kind === 'write' }) : [] }
}

/** A tool's input as named fields; `raw` holds a bare text (a patch) or a bare list (commands). */
export function inputFields(input: unknown): Payload {
  return objectOrNull(input) ?? (typeof input === 'string' || Array.isArray(input) ? { raw: input } : {})
}
