import { shortTextOrNull } from '../text/payload.ts'
import type { CallIdentity, Activity } from './event.ts'
import type { ToolUse } from './tool-use.ts'

/** Whether a tool is about to run, has run, or has failed. */
export type Phase = 'start' | 'end' | 'failed'

type ToolStep = { readonly phase: Phase; readonly use: ToolUse; readonly call: CallIdentity }

/**
 * The activity to record for one use of a tool: a write of the files that an editing tool names, or, for any other tool
 * that may write, a command during which every change is its own. Null for a tool that only reads, and for an edit that
 * names no file, which the gate denies.
 */
export function toolEvent({ phase, use, call }: ToolStep): Activity | null {
  if (use.class === 'read' || use.class === 'meta') return null
  if (use.class !== 'write') return { event: phase === 'start' ? 'exec-start' : 'exec-end', ...call }
  const paths = use.targets.flatMap(it => shortTextOrNull(it.path) ?? [])
  if (paths.length === 0) return null
  if (phase === 'end') return { event: 'write', paths, ...call, before: undefined }
  return { event: phase === 'start' ? 'write-start' : 'write-failed', paths, ...call }
}
