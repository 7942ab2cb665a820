import type { ToolUse } from '../tool-use.ts'
import { jsonOrUndefined, objectOrNull, shortTextOrNull } from '../../base/payload.ts'

/** A call of a tool of kotef's own MCP server that acts for a session, and the intent that the call names. */
export type OwnToolCall = { readonly tool: string; readonly intent: string | null }

/** The call of such a tool, in any agent's spelling; null for any other tool, and for another server's. */
export function ownToolCall({
  class: kind,
  tool,
  input,
}: Pick<ToolUse, 'class' | 'tool' | 'input'>): OwnToolCall | null {
  const fields = objectOrNull(input)
  // Cline and Roo Code reach every MCP server through one tool.
  const isNested = tool === 'use_mcp_tool'
  const name = isNested ? (shortTextOrNull(fields?.['tool_name']) ?? '') : tool
  if (kind !== 'meta' || !SESSION_TOOLS.test(name)) return null
  const given = fields?.['arguments']
  const args = isNested ? objectOrNull(typeof given === 'string' ? jsonOrUndefined(given) : given) : fields
  return { tool: name, intent: shortTextOrNull(args?.['intent_id']) }
}

const SESSION_TOOLS = new RegExp(
  [
    '(?:select_active_intent|list_intents|intent_context|where_is|request_scope_expansion|request_approval|',
    'record_lesson|handover_[a-z_]+)$',
  ].join(''),
)
