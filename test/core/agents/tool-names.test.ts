import { expect, test } from 'vitest'
import { namedToolClass } from '../../../src/core/agents/tool-names.ts'

test.each([
  ['claude', 'Write', 'write'],
  ['claude', 'Bash', 'execute'],
  ['claude', 'Read', 'read'],
  ['codex', 'exec_command', 'execute'],
  ['codex', 'send_input', 'meta'],
  ['gemini', 'run_shell_command', 'execute'],
  ['copilot', 'sql', 'meta'],
  ['cursor', 'Shell', 'execute'],
])('in %s, %s has the class %s', (agent, tool, expected) => {
  expect(namedToolClass(agent, tool)).toBe(expected)
})

// A server or a plugin can give a tool any name.
test.each([
  ['gemini', 'sql'],
  ['opencode', 'sql'],
  ['claude', 'send_input'],
  ['claude', 'think'],
  ['codex', 'write_agent'],
  ['cursor', 'activate_skill'],
  ['gemini', 'Task'],
])('in %s, %s is the tool of somebody else', (agent, tool) => {
  expect(namedToolClass(agent, tool)).toBe('unknown')
})

test('an agent that kotef does not know has the names that nobody mistakes', () => {
  expect(namedToolClass('another', 'write_file')).toBe('write')
  expect(namedToolClass('another', 'sql')).toBe('unknown')
})
