import * as z from 'zod'

/** What an agent asks a person for: more scope for its intent, or leave to do something. */
export type AgentRequest = z.output<typeof request>

/** Reads the file of a request; null for what is none. */
export function readRequest(text: string): AgentRequest | null {
  try {
    return request.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** At most so many requests of a session wait at once: a person has to read them. */
export const WAITING_REQUESTS_MAX = 20

const wants = z.array(z.string().min(1).max(300)).min(1).max(20)

// Keys that a later kotef may add are left alone.
const request = z.object({
  id: z.string().min(1),
  at: z.iso.datetime(),
  session: z.string().min(1),
  agent: z.string(),
  intent: z.string().min(1),
  kind: z.enum(['scope', 'approval']),
  /** Globs, or what is to be approved in words. */
  wants,
  reason: z.string().max(1000),
})
