import * as z from 'zod'
import type { Problem } from '../report/finding.ts'
import type { Session } from './session.ts'

/** Reads a session file; a damaged one is a problem, never an exception. */
export function readSession(file: string, text: string): { session: Session } | { problem: Problem } {
  const parsed = session.safeParse(jsonOf(text))
  if (parsed.success) return { session: parsed.data }
  const [issue] = parsed.error.issues
  const expected = issue?.path.length ? `a valid \`${issue.path.join('.')}\` in a session` : 'a session as JSON'
  return { problem: { file, line: null, expected, found: issue?.message ?? text.slice(0, 80) } }
}

// Keys that a later kotef may add are left alone.
const session = z.object({
  id: z.string().min(1),
  kind: z.enum(['agent', 'person']),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  intent: z.string().min(1),
  declared: z.boolean(),
  claimedAt: z.iso.datetime(),
  heartbeatAt: z.iso.datetime(),
  pid: z.int().nullable(),
  host: z.string(),
  baseCommit: z.string().nullable(),
  endedAt: z.iso.datetime().nullable(),
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
