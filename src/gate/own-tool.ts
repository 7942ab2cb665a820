import { objectIn, textIn } from '../agents/payload.ts'
import { classOf } from './tool-classes.ts'

/** A call of a tool of kotef's own server that speaks for a session, and the intent that it names. */
export type OwnCall = { readonly tool: string; readonly intent: string | null }

/** The call of such a tool, whichever agent spells its name; null for every other, and for another server's. */
export function ownCall(tool: string, input: unknown): OwnCall | null {
  const given = objectIn(input) ?? {}
  // Cline and Roo Code reach every server through one tool.
  const name = tool === 'use_mcp_tool' ? (textIn(given['tool_name']) ?? '') : tool
  if (!SPEAKING.test(name) || classOf(tool, given) !== 'meta') return null
  const args = tool === 'use_mcp_tool' ? argumentsIn(given['arguments']) : given
  return { tool: name, intent: textIn(args['intent_id']) }
}

const SPEAKING = /(?:select_active_intent|list_intents|intent_context|request_scope_expansion|request_approval)$/

function argumentsIn(value: unknown): Readonly<Record<string, unknown>> {
  try {
    return objectIn(typeof value === 'string' ? JSON.parse(value) : value) ?? {}
  } catch {
    return {}
  }
}
