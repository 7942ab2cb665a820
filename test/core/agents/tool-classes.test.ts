import { expect, test } from 'vitest'
import { toolClassOf, toolUse } from '../../../src/core/agents/tool-use.ts'

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
  expect(toolClassOf('generic', tool, {})).toBe(kind)
})

test.each([
  'mcp__kotef__list_intents',
  'mcp__plugin_kotef_kotef__list_intents',
  'kotef_list_intents',
  'mcp_kotef_list_intents',
  'MCP:list_intents',
  'list_intents',
  'MCP:intent_context',
])('kotef’s own tool is meta in the spelling %s', tool => {
  expect(toolClassOf('generic', tool, {})).toBe('meta')
})

test.each<[tool: string, input: object, kind: string]>([
  ['MCP:select_active_intent', { intent_id: 'INT-001' }, 'meta'],
  ['select_active_intent', { intent_id: 'INT-001' }, 'meta'],
  ['MCP:request_approval', { what: 'x', reason: 'y' }, 'meta'],
  ['MCP:select_active_intent', { intent_id: 'INT-001', path: 'a' }, 'unknown'],
  ['MCP:list_intents', { command: 'rm a' }, 'unknown'],
  ['list_intents', { path: 'a' }, 'unknown'],
  ['MCP:record_lesson', { text: 'x', paths: ['a'] }, 'meta'],
  ['MCP:record_lesson', { path: 'a' }, 'unknown'],
  ['check_done', {}, 'unknown'],
  ['report_step', {}, 'unknown'],
  ['MCP:resource', {}, 'unknown'],
  ['mcp__kotef__resource', {}, 'unknown'],
])('without its server, %s with %j is %s', (tool, input, kind) => {
  expect(toolClassOf('cursor', tool, { ...input })).toBe(kind)
})

test.each<[tool: string, isNamed: boolean]>([
  ['mcp__filesystem__read_text_file', false],
  ['mcp__serena__find_symbol', false],
  ['mcp__ide2__getDiagnostics', false],
  ['files-get_file_contents', false],
  ['MCP:list_directory', false],
  ['mcp_fs_read_file', false],
  ['mcp__fs__write_file', true],
  ['mcp__fs__find_and_replace', true],
  ['mcp__fs__listen', true],
  ['mcp__fs__get_or_create', true],
  ['mcp__fs__reader', true],
])('what %s of another server names is taken for written: %s', (tool, isNamed) => {
  expect(toolUse('generic', tool, { path: 'a' })).toMatchObject({
    class: 'unknown',
    targets: isNamed ? [{ path: 'a' }] : [],
  })
})

test('what Cline asks another server to read is not taken for written', () => {
  const input = { server_name: 'fs', tool_name: 'read_file', arguments: '{"path":"a"}' }
  expect(toolUse('cline', 'use_mcp_tool', input).targets).toEqual([])
  expect(toolUse('cline', 'use_mcp_tool', { ...input, tool_name: 'write_file' }).targets).toEqual([{ path: 'a' }])
})

test.each(['mcp__other__list_intents', 'mcp__kotef__write_file', 'xkotef_list_intents', 'mcp__kotef__list_intents2'])(
  '%s is of another server, and not trusted',
  tool => {
    expect(toolClassOf('generic', tool, {})).toBe('unknown')
  },
)

test('a tool that calls others is of the class of the tool it calls, if that is kotef’s', () => {
  const own = { server_name: 'kotef', tool_name: 'list_intents' }
  expect(toolClassOf('cline', 'use_mcp_tool', own)).toBe('meta')
  expect(toolClassOf('cline', 'access_mcp_resource', { server_name: 'kotef' })).toBe('meta')
  expect(toolClassOf('cline', 'use_mcp_tool', { ...own, server_name: 'fs' })).toBe('unknown')
  expect(toolClassOf('cline', 'use_mcp_tool', { ...own, tool_name: 'write_file' })).toBe('unknown')
})

test('an editor that is asked to view only reads', () => {
  expect(toolClassOf('copilot', 'str_replace_editor', { command: 'view' })).toBe('read')
  expect(toolClassOf('copilot', 'str_replace_editor', { command: 'create' })).toBe('write')
})

const AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'opencode', 'cline', 'roo', 'generic', 'other']

test.each([
  ['sql', 'copilot'],
  ['think', 'copilot'],
  ['write_agent', 'copilot'],
  ['task', 'copilot opencode'],
  ['skill', 'copilot opencode roo'],
  ['question', 'opencode'],
  ['invalid', 'opencode'],
  ['list', 'opencode'],
  ['read', 'opencode'],
  ['search', 'codex'],
  ['send_input', 'codex'],
  ['Skill', 'claude copilot'],
])('%s is a harmless tool of %s, and of nobody else', (tool, owners) => {
  const harmless = AGENTS.filter(it => toolClassOf(it, tool, { query: 'select 1' }) !== 'unknown')
  expect(harmless.join(' ')).toBe(AGENTS.filter(it => owners.split(' ').includes(it)).join(' '))
})

test.each([
  ["INSERT INTO todos VALUES ('attach the file; it''s PRAGMA')", 'meta'],
  ['-- now\nselect * from todos; update todos set done = 1;', 'meta'],
  ['CREATE TABLE t (a); WITH x AS (SELECT 1) SELECT * FROM x', 'meta'],
  ["ATTACH 'lib/x.db' AS y", 'unknown'],
  ["SELECT 1; ATTACH DATABASE 'lib/x.db' AS y", 'unknown'],
  ['PRAGMA writable_schema = 1', 'unknown'],
  ["VACUUM INTO 'lib/x.db'", 'unknown'],
  ["SELECT load_extension('./x')", 'unknown'],
  ['SELECT "writefile"(\'lib/x\', 1)', 'unknown'],
  ["CREATE VIRTUAL TABLE t USING csv(filename='a')", 'unknown'],
  ["COPY t TO PROGRAM 'sh'", 'unknown'],
  ['.shell ls', 'unknown'],
])('the session database of Copilot: %j is %s', (query, kind) => {
  expect(toolClassOf('copilot', 'sql', { query })).toBe(kind)
})

test('a statement that is not given is not known', () => {
  expect(toolClassOf('copilot', 'sql', {})).toBe('unknown')
})

test.each([
  ['mcp__kotef__record_lesson', { text: 'x', paths: ['a'] }, 'meta'],
  ['mcp__kotef__record_lesson', { path: 'a', cmd: 'rm' }, 'unknown'],
  ['mcp_kotef_list_intents', { wait_for_previous: true }, 'meta'],
  ['kotef-select_active_intent', { intent_id: 'INT-1', file: 'a' }, 'unknown'],
])('kotef’s own tool has kotef’s own fields: %s with %j is %s', (tool, input, kind) => {
  expect(toolClassOf('claude', tool, input)).toBe(kind)
})

test('kotef’s own tool has kotef’s own fields behind a tool that calls others', () => {
  const own = (given: unknown) => ({ server_name: 'kotef', tool_name: 'record_lesson', arguments: given })
  expect(toolClassOf('cline', 'use_mcp_tool', own('{"text":"x"}'))).toBe('meta')
  expect(toolClassOf('cline', 'use_mcp_tool', own({ text: 'x', cmd: 'rm' }))).toBe('unknown')
  expect(toolClassOf('cline', 'use_mcp_tool', own('{"text":'))).toBe('unknown')
})
