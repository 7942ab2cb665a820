import { expect, test } from 'vitest'
import { gemini } from '../../../src/core/agents/gemini.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, compacted, context, deny, prompt, SILENT, silence, start, stop } from './dialogue.ts'

const base = { session_id: 's', transcript_path: '/t.json', cwd: '/w', timestamp: '2026-11-20T10:00:00.000Z' }
const common = { session: 's', agent: 'gemini', model: null, cwd: '/w' }
const tool = (hook_event_name: string, tool_name: string, tool_input: unknown, more: object = {}) => ({
  ...base,
  ...{ hook_event_name, tool_name, tool_input },
  ...more,
})
const lane = { call: null, lane: '' }
const write = { file_path: 'a', content: 'x' }

const decoded: readonly dialogue.DecodeRow[] = [
  ['SessionStart', { ...base, hook_event_name: 'SessionStart', source: 'startup' }, { event: 'session-start' }, start],
  ['SessionEnd', { ...base, hook_event_name: 'SessionEnd', reason: 'exit' }, { event: 'session-end' }, dialogue.end],
  ['BeforeAgent', { ...base, hook_event_name: 'BeforeAgent', prompt: 'p' }, { event: 'turn-end' }, prompt],
  [
    'AfterAgent',
    { ...base, hook_event_name: 'AfterAgent', prompt: 'p', prompt_response: 'r', stop_hook_active: false },
    { event: 'turn-end' },
    stop,
  ],
  [
    'AfterAgent, for the second time',
    { ...base, hook_event_name: 'AfterAgent', stop_hook_active: true },
    { event: 'turn-end' },
    { at: 'stop', isRepeated: true },
  ],
  [
    'trap: the model, which only BeforeModel names',
    { ...base, hook_event_name: 'BeforeModel', llm_request: { model: 'gemini-x', messages: [] } },
    { event: 'model-named', model: 'google/gemini-x' },
    null,
  ],
  [
    'before a file is written',
    tool('BeforeTool', 'write_file', write),
    { event: 'write-start', paths: ['a'], ...lane },
    { at: 'before-tool', tool: 'write_file', input: write },
  ],
  [
    'after a file was written',
    tool('AfterTool', 'write_file', write, { tool_response: { llmContent: 'ok' } }),
    { event: 'write', paths: ['a'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'write_file', input: write },
  ],
  [
    'before a command',
    tool('BeforeTool', 'run_shell_command', { command: 'make', dir_path: 'sub' }),
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'run_shell_command', input: { command: 'make', dir_path: 'sub' } },
  ],
  [
    'a tool that only reads',
    tool('BeforeTool', 'read_file', { file_path: 'a' }),
    null,
    { at: 'before-tool', tool: 'read_file', input: { file_path: 'a' } },
  ],
  ['an event that is none of our business', { ...base, hook_event_name: 'PreCompress', trigger: 'auto' }, null, null],
]

const denial = dialogue.printed({ decision: 'deny', reason: deny.text })
const contextAt = (hookEventName: string) =>
  dialogue.printed({ hookSpecificOutput: { hookEventName, additionalContext: context.text } })

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, SILENT],
  [deny, before, denial],
  [ask, before, dialogue.printed({ decision: 'deny', reason: ask.text })],
  [context, before, SILENT],
  [deny, after, denial],
  [context, after, contextAt('AfterTool')],
  [deny, prompt, denial],
  [context, prompt, contextAt('BeforeAgent')],
  [context, start, contextAt('SessionStart')],
  [context, compacted, SILENT],
  [deny, stop, denial],
  [context, stop, SILENT],
  [context, dialogue.end, SILENT],
  [silence, null, SILENT],
  [deny, null, denial],
]

dialogue.testAdapter(gemini, { decoded, common, answers })

test('trap: at exit 2, JSON without a decision lets the tool run, also on stderr: each refusal has one, at 0', () => {
  for (const moment of [before, after, prompt, null]) {
    const { stdout, stderr, exit } = gemini.encode(deny, moment)
    expect([JSON.parse(stdout), stderr, exit]).toEqual([{ decision: 'deny', reason: deny.text }, '', 0])
  }
})

test('trap: Gemini escapes a context for HTML itself, so it is handed over as it is', () => {
  const { stdout } = gemini.encode(context, prompt)
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { additionalContext: context.text } })
})

test('trap: `continue: false` would end the whole run, and is never said', () => {
  const all = dialogue.hookPoints.flatMap(it => [deny, ask, context].map(reply => gemini.encode(reply, it)))
  expect(all.filter(it => it.stdout.includes('continue'))).toEqual([])
})
