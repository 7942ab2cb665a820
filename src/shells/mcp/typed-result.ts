import type { CallToolResult } from '@modelcontextprotocol/server'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { typedName } from '../../world/io/process/typed-name.ts'

/** A result in which each command begins with what a person types: the agent passes commands on. */
export function typedResult(result: CallToolResult): CallToolResult {
  const name = typedName(process.env)
  const typed = (text: string): string => withTypedName(text, name)
  const content = result.content.map(it => (it.type === 'text' ? { ...it, text: typed(it.text) } : it))
  if (!result.isError || !result.structuredContent) return { ...result, content }
  const fields = Object.entries(result.structuredContent)
  const structuredContent = Object.fromEntries(
    fields.map(([key, it]) => [key, typeof it === 'string' ? typed(it) : it]),
  )
  return { ...result, content, structuredContent }
}
