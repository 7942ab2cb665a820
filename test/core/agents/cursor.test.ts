import { expect, test } from 'vitest'
import { decodePayload } from '../../../src/core/agents/decode.ts'
import { cursor } from '../../../src/core/agents/cursor.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, compacted, context, deny, prompt, silence, start, stop } from './dialogue.ts'

const base = {
  ...{ conversation_id: 's', generation_id: 'g', model: 'claude-x', session_id: 's', cursor_version: '3.9.16' },
  ...{ workspace_roots: ['/w'], user_email: 'a@example.org', transcript_path: null },
}
const common = { session: 's', agent: 'cursor', model: 'anthropic/claude-x', cwd: '/w' }
const tool = (hook_event_name: string, tool_name: string, tool_input: unknown, more: object = {}) => ({
  ...base,
  ...{ hook_event_name, tool_name, tool_input, tool_use_id: 'c' },
  ...more,
})
const lane = { call: 'c', lane: 'c' }
const asks = (tool: string, input: unknown): object => ({ at: 'before-tool', tool, input })

const decoded: readonly dialogue.DecodeRow[] = [
  ['sessionStart', { ...base, hook_event_name: 'sessionStart' }, { event: 'session-start' }, start],
  [
    'sessionEnd',
    { ...base, hook_event_name: 'sessionEnd', reason: 'completed' },
    { event: 'session-end' },
    dialogue.end,
  ],
  [
    'beforeSubmitPrompt',
    { ...base, hook_event_name: 'beforeSubmitPrompt', prompt: 'p' },
    { event: 'turn-end' },
    prompt,
  ],
  ['stop', { ...base, hook_event_name: 'stop', status: 'completed', loop_count: 0 }, { event: 'turn-end' }, stop],
  [
    'stop, for the second time',
    { ...base, hook_event_name: 'stop', loop_count: 1 },
    { event: 'turn-end' },
    { at: 'stop', isRepeated: true },
  ],
  [
    'before a file is written',
    tool('preToolUse', 'Write', { file_path: '/w/a' }),
    { event: 'write-start', paths: ['/w/a'], ...lane },
    asks('Write', { file_path: '/w/a' }),
  ],
  [
    'after a file was deleted',
    tool('postToolUse', 'Delete', { file_path: '/w/a' }, { tool_output: '{"deleted":true}', duration: 5 }),
    { event: 'write', paths: ['/w/a'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'Delete', input: { file_path: '/w/a' } },
  ],
  [
    'a failed command',
    tool('postToolUseFailure', 'Shell', { command: 'make' }, { error_message: 'no', failure_type: 'error' }),
    { event: 'exec-end', ...lane },
    { at: 'after-tool', tool: 'Shell', input: { command: 'make' } },
  ],
  [
    'before a command that runs elsewhere',
    tool('preToolUse', 'Shell', { command: 'make', working_directory: '/w/sub' }, { cwd: '/w/sub' }),
    { event: 'exec-start', ...lane, cwd: '/w/sub' },
    asks('Shell', { command: 'make', working_directory: '/w/sub' }),
  ],
  [
    'the hook for commands alone: the call is known by the other one',
    { ...base, hook_event_name: 'beforeShellExecution', command: 'make', cwd: '/w' },
    null,
    asks('Shell', { command: 'make', working_directory: '/w' }),
  ],
  [
    'the hook for MCP alone, with what the tool is given as text',
    { ...base, hook_event_name: 'beforeMCPExecution', tool_name: 'write_file', tool_input: '{"path":"a"}' },
    null,
    asks('MCP:write_file', { path: 'a' }),
  ],
  [
    'the hook for reading alone',
    { ...base, hook_event_name: 'beforeReadFile', file_path: '/w/a', content: 'secret' },
    null,
    asks('Read', { file_path: '/w/a' }),
  ],
  ['an agent below this one', { ...base, hook_event_name: 'subagentStart' }, null, asks('Task', {})],
  [
    'what was edited, which postToolUse tells',
    { ...base, hook_event_name: 'afterFileEdit', file_path: 'a' },
    null,
    null,
  ],
  [
    'a model that is none',
    { ...base, model: 'default', hook_event_name: 'stop' },
    { event: 'turn-end', model: null },
    stop,
  ],
]

test.each([
  ['gpt-x', 'openai/gpt-x'],
  ['o4-mini', 'openai/o4-mini'],
  ['gemini-x', 'google/gemini-x'],
  ['composer-2', 'cursor/composer-2'],
  ['maker/m', 'maker/m'],
  ['of-nobody-knows-whom', 'of-nobody-knows-whom'],
  ['auto', null],
])('the model %s is %s', (model, named) => {
  expect(decodePayload('cursor', JSON.stringify({ ...base, model, hook_event_name: 'stop' }))).toMatchObject({
    model: named,
  })
})

test('trap: a byte order mark before the payload is nothing', () => {
  const text = JSON.stringify(tool('preToolUse', 'Delete', { file_path: '/w/a' }))
  expect(decodePayload('cursor', `\uFEFF${text}`)).toEqual(decodePayload('cursor', text))
})

const allowed = dialogue.printed({ permission: 'allow' })
const denial = (text: string) => ({ permission: 'deny', user_message: text, agent_message: text })
const reported = (additional_context: string) => dialogue.printed({ additional_context })
const nothing = dialogue.printed({})

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, allowed],
  [deny, before, dialogue.printed(denial(deny.text))],
  [ask, before, dialogue.printed(denial(ask.text))],
  [context, before, allowed],
  [silence, after, nothing],
  [deny, after, reported(deny.text)],
  [context, after, reported(context.text)],
  [silence, prompt, dialogue.printed({ continue: true })],
  [deny, prompt, dialogue.printed({ continue: false, user_message: deny.text })],
  [context, prompt, dialogue.printed({ continue: true, additional_context: context.text })],
  [silence, start, nothing],
  [context, start, reported(context.text)],
  [context, compacted, nothing],
  [silence, stop, nothing],
  [deny, stop, dialogue.printed({ followup_message: deny.text })],
  [context, stop, nothing],
  [silence, dialogue.end, nothing],
  [silence, null, allowed],
  [deny, null, dialogue.printed({ ...denial(deny.text), continue: false })],
]

dialogue.testAdapter(cursor, { decoded, common, answers })

test('trap: a hook that fails closed has to allow what it allows, so every call prints JSON, and ends with 0', () => {
  for (const moment of dialogue.hookPoints)
    for (const reply of [silence, context, deny, ask]) {
      const { stdout, stderr, exit } = cursor.encode(reply, moment)
      expect([typeof JSON.parse(stdout), stderr, exit]).toEqual(['object', '', 0])
    }
})

test('trap: the model reads what is for the user, so both are told the same', () => {
  const { user_message, agent_message } = JSON.parse(cursor.encode(deny, before).stdout)
  expect([user_message, agent_message]).toEqual([deny.text, deny.text])
})
