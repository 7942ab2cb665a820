import { expect, test } from 'vitest'
import { JSON_ENTRIES } from '../../../src/world/setup/agents/json-entries-by-agent.ts'
import type { JsonValue } from '../../../src/world/setup/agents/json-text.ts'

const hooksOf = (agent: string) => JSON_ENTRIES[agent]?.find(it => it.hooks)?.hooks ?? {}
const gate = expect.stringMatching(/^sh -c '.* agent-hook \w+ \|\| exit 2'$/) as unknown
const reported = expect.stringMatching(/^sh -c '.* agent-hook \w+ \|\| exit 1'$/) as unknown

// In the form that each agent's own documentation gives. What is not said here takes the agent's default: to go on.
test.each<[agent: string, event: string, entry: JsonValue]>([
  [
    'claude',
    'PreToolUse',
    group('*', { type: 'command', command: gate as JsonValue, timeout: 60, onFailure: 'block' }),
  ],
  [
    'claude',
    'ConfigChange',
    group(null, { type: 'command', command: gate as JsonValue, timeout: 60, onFailure: 'block' }),
  ],
  ['codex', 'PreToolUse', group('.*', { type: 'command', command: gate as JsonValue, timeout: 60 })],
  [
    'gemini',
    'BeforeTool',
    group('.*', { type: 'command', name: 'kotef', command: gate as JsonValue, timeout: 60_000 }),
  ],
  ['copilot', 'preToolUse', { type: 'command', bash: gate as JsonValue, timeoutSec: 60 }],
  ['cursor', 'preToolUse', { command: gate as JsonValue, timeout: 60, failClosed: true }],
])('%s is told at %s that whatever keeps the hook from answering blocks', (agent, event, entry) => {
  expect(hooksOf(agent)[event]).toEqual(entry)
})

test.each([
  ['claude', 'PreToolUse ConfigChange', 'PostToolUse PostToolUseFailure SessionStart UserPromptSubmit Stop SessionEnd'],
  ['codex', 'PreToolUse', 'PostToolUse SessionStart UserPromptSubmit Stop Interrupt SessionEnd'],
  ['gemini', 'BeforeTool', 'AfterTool SessionStart BeforeAgent BeforeModel AfterAgent SessionEnd'],
  ['copilot', 'preToolUse', 'sessionStart userPromptSubmitted postToolUse postToolUseFailure agentStop sessionEnd'],
  ['cursor', 'preToolUse', 'sessionStart beforeSubmitPrompt postToolUse postToolUseFailure stop sessionEnd'],
])('%s asks for leave at %s, and tells of the rest without being stopped by it', (agent, gates, says) => {
  const hooks = hooksOf(agent)
  expect(Object.keys(hooks).sort()).toEqual([...gates.split(' '), ...says.split(' ')].sort())
  for (const event of gates.split(' ')) expect(commandIn(hooks[event])).toEqual(gate)
  for (const event of says.split(' ')) expect(commandIn(hooks[event])).toEqual(reported)
})

test('no command has in it what an agent would put something else in place of', () => {
  const text = JSON.stringify({ ...JSON_ENTRIES, claude: [], cursor: [] }).replaceAll('"$schema":', '')
  // Gemini CLI puts variables of the environment that are there in place of their names.
  expect([...text.matchAll(/\$(?!\()\W?\w*/g)].map(it => it[0])).toEqual(
    [...text.matchAll(/\$kotef/g)].map(it => it[0]),
  )
  expect(text).not.toMatch(/\$\{|%\w+%/)
})

function group(matcher: string | null, hook: JsonValue): JsonValue {
  return { ...(matcher === null ? {} : { matcher }), hooks: [hook] }
}

function commandIn(entry: JsonValue | undefined): unknown {
  const { hooks, bash, command } = entry as { hooks?: { command: string }[]; bash?: string; command?: string }
  return hooks?.[0]?.command ?? bash ?? command
}
