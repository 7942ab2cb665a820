import { classOf } from '../gate/tool-classes.ts'
import { targetsIn } from '../gate/tool-targets.ts'
import type { Call, Happening } from './event.ts'
import { objectIn, textIn } from './payload.ts'

/** Where a use of a tool stands, as far as its hook tells. */
export type Phase = 'start' | 'end' | 'failed'

type Use = { readonly phase: Phase; readonly tool: string; readonly input: unknown; readonly call: Call }

/**
 * What a use of a tool may write: the files that an editing tool names, for every other whatever changes meanwhile.
 * Null for what only reads, and for an edit of nobody knows what, which is refused.
 */
export function toolEvent({ phase, tool, input, call }: Use): Happening | null {
  const given = objectIn(input) ?? (typeof input === 'string' ? { raw: input } : {})
  const kind = classOf(tool, given)
  if (kind === 'read' || kind === 'meta') return null
  if (kind !== 'write') return { event: phase === 'start' ? 'exec-start' : 'exec-end', ...call }
  const paths = targetsIn(given).flatMap(it => textIn(it.path) ?? [])
  if (paths.length === 0) return null
  if (phase === 'end') return { event: 'write', paths, ...call, before: undefined }
  return { event: phase === 'start' ? 'write-start' : 'write-failed', paths, ...call }
}
