import * as z from 'zod'

/** An agent's request to a person: more scope for its intent, or an approval of an action. */
export type AgentRequest = z.output<typeof request>

/** Reads the file of a request; null when it is not one. */
export function readRequest(text: string): AgentRequest | null {
  try {
    return request.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The command by which a person answers a request. 8 characters of the id are enough. */
export function approveCommand(id: string): string {
  return `kotef approve ${id.slice(0, 8)}`
}

/** The maximum of open requests for an intent, because a person has to read them. */
export const WAITING_REQUESTS_MAX = 20

const wants = z.array(z.string().min(1).max(300)).min(1).max(20)

// Ignores unknown keys, which a later kotef may have added.
const request = z.object({
  id: z.string().min(1),
  at: z.iso.datetime(),
  session: z.string().min(1),
  agent: z.string(),
  intent: z.string().min(1),
  kind: z.enum(['scope', 'approval']),
  /** Globs, or a description of the action to approve. */
  wants,
  reason: z.string().max(1000),
})
