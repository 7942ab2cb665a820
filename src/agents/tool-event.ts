import { toolClassOf } from './tool-classes.ts'
import { targetsIn } from './tool-targets.ts'
import type { CallIdentity, Activity } from './event.ts'
import { objectOrNull, shortTextOrNull } from '../text/payload.ts'

/** Where a use of a tool stands, as far as its hook tells. */
export type Phase = 'start' | 'end' | 'failed'

type ToolUse = { readonly phase: Phase; readonly tool: string; readonly input: unknown; readonly call: CallIdentity }

/**
 * What a use of a tool may write: the files that an editing tool names, for every other whatever changes meanwhile.
 * Null for what only reads, and for an edit of nobody knows what, which is refused.
 */
export function toolEvent({ phase, tool, input, call }: ToolUse): Activity | null {
  const fields = objectOrNull(input) ?? (typeof input === 'string' ? { raw: input } : {})
  const kind = toolClassOf(tool, fields)
  if (kind === 'read' || kind === 'meta') return null
  if (kind !== 'write') return { event: phase === 'start' ? 'exec-start' : 'exec-end', ...call }
  const paths = targetsIn(fields).flatMap(it => shortTextOrNull(it.path) ?? [])
  if (paths.length === 0) return null
  if (phase === 'end') return { event: 'write', paths, ...call, before: undefined }
  return { event: phase === 'start' ? 'write-start' : 'write-failed', paths, ...call }
}
