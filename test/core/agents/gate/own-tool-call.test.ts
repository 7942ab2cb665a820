import { expect, test } from 'vitest'
import { toolUse } from '../../../../src/core/agents/tool-use.ts'
import { ownToolCall } from '../../../../src/core/agents/gate/own-tool-call.ts'

const nested = (more: object) => ({ server_name: 'kotef', tool_name: 'select_active_intent', ...more })

test.each<[tool: string, input: unknown, call: object | null]>([
  ['mcp__kotef__select_active_intent', { intent_id: 'INT-001' }, { intent: 'INT-001' }],
  ['mcp__kotef__list_intents', null, { intent: null }],
  ['use_mcp_tool', nested({ arguments: '{"intent_id":"INT-001"}' }), { intent: 'INT-001' }],
  ['use_mcp_tool', nested({ arguments: { intent_id: 'INT-001' } }), { intent: 'INT-001' }],
  ['use_mcp_tool', nested({ arguments: '{' }), null],
  ['use_mcp_tool', nested({ server_name: 'other' }), null],
  ['mcp__other__select_active_intent', { intent_id: 'INT-001' }, null],
  ['mcp__kotef__check_done', {}, null],
  ['Write', { intent_id: 'INT-001' }, null],
])('%s with %j is kotef’s own: %j', (tool, input, call) => {
  const found = ownToolCall(toolUse(tool === 'use_mcp_tool' ? 'cline' : 'claude', tool, input))
  if (call) expect(found).toMatchObject(call)
  else expect(found).toBeNull()
})
