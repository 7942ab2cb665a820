import { expect, test } from 'vitest'
import { toolClassOf } from '../../../src/agents/tool-use.ts'

test.each([
  ['Write', 'write'],
  ['apply_patch', 'write'],
  ['batch', 'write'],
  ['Bash', 'execute'],
  ['run_shell_command', 'execute'],
  ['Read', 'read'],
  ['codebase_search', 'read'],
  ['TodoWrite', 'meta'],
  ['write', 'write'],
  ['WRITE', 'unknown'],
  ['Write Edit', 'unknown'],
  ['', 'unknown'],
  ['constructor', 'unknown'],
])('%s is of the class %s', (tool, kind) => {
  expect(toolClassOf(tool, {})).toBe(kind)
})

test.each([
  'mcp__kotef__list_intents',
  'mcp__plugin_kotef_kotef__list_intents',
  'kotef_list_intents',
  'mcp_kotef_list_intents',
  'MCP:list_intents',
  'list_intents',
])('kotef’s own tool is meta in the spelling %s', tool => {
  expect(toolClassOf(tool, {})).toBe('meta')
})

test.each(['mcp__other__list_intents', 'mcp__kotef__write_file', 'xkotef_list_intents', 'mcp__kotef__list_intents2'])(
  '%s is of another server, and not trusted',
  tool => {
    expect(toolClassOf(tool, {})).toBe('unknown')
  },
)

test('a tool that calls others is of the class of the tool it calls, if that is kotef’s', () => {
  const own = { server_name: 'kotef', tool_name: 'list_intents' }
  expect(toolClassOf('use_mcp_tool', own)).toBe('meta')
  expect(toolClassOf('access_mcp_resource', { server_name: 'kotef' })).toBe('meta')
  expect(toolClassOf('use_mcp_tool', { ...own, server_name: 'fs' })).toBe('unknown')
  expect(toolClassOf('use_mcp_tool', { ...own, tool_name: 'write_file' })).toBe('unknown')
})

test('an editor that is asked to view only reads', () => {
  expect(toolClassOf('str_replace_editor', { command: 'view' })).toBe('read')
  expect(toolClassOf('str_replace_editor', { command: 'create' })).toBe('write')
})
