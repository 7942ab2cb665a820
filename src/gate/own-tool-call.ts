import { objectOrNull, shortTextOrNull } from '../text/payload.ts'
import { toolClassOf } from '../agents/tool-classes.ts'

/** A call of a tool of kotef's own server that speaks for a session, and the intent that it names. */
export type OwnToolCall = { readonly tool: string; readonly intent: string | null }

/** The call of such a tool, whichever agent spells its name; null for every other, and for another server's. */
export function ownToolCall(tool: string, input: unknown): OwnToolCall | null {
  const given = objectOrNull(input) ?? {}
  // Cline and Roo Code reach every server through one tool.
  const name = tool === 'use_mcp_tool' ? (shortTextOrNull(given['tool_name']) ?? '') : tool
  if (!SESSION_TOOLS.test(name) || toolClassOf(tool, given) !== 'meta') return null
  const args = tool === 'use_mcp_tool' ? toolArguments(given['arguments']) : given
  return { tool: name, intent: shortTextOrNull(args['intent_id']) }
}

const SESSION_TOOLS = /(?:select_active_intent|list_intents|intent_context|request_scope_expansion|request_approval)$/

function toolArguments(value: unknown): Readonly<Record<string, unknown>> {
  try {
    return objectOrNull(typeof value === 'string' ? JSON.parse(value) : value) ?? {}
  } catch {
    return {}
  }
}
