import { expect, test } from 'vitest'
import { cline } from '../../../src/core/agents/cline.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, context, deny, prompt, silence, start, stop } from './dialogue.ts'

const extension = { clineVersion: '4', timestamp: '1', taskId: 's', workspaceRoots: ['/w'], userId: 'u' }
const command = { ...extension, agent_id: 'main', parent_agent_id: null, sessionContext: { rootSessionId: 's' } }
const common = { session: 's', agent: 'cline', model: null, cwd: '/w' }
const lane = { call: null, lane: '' }
const named = { call: 'c', lane: 'main' }
const write = { path: 'a', content: 'x' }
const commands = ['make', { command: 'git', args: ['status'] }]

const decoded: readonly dialogue.DecodeRow[] = [
  [
    'PreToolUse',
    { ...extension, hookName: 'PreToolUse', preToolUse: { toolName: 'write_to_file', parameters: write } },
    { event: 'write-start', paths: ['a'], ...lane },
    { at: 'before-tool', tool: 'write_to_file', input: write },
  ],
  [
    'PostToolUse',
    {
      ...extension,
      hookName: 'PostToolUse',
      postToolUse: { toolName: 'write_to_file', parameters: write, success: true },
    },
    { event: 'write', paths: ['a'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'write_to_file', input: write },
  ],
  [
    'PostToolUse of what failed',
    {
      ...extension,
      hookName: 'PostToolUse',
      postToolUse: { toolName: 'write_to_file', parameters: write, success: false },
    },
    { event: 'write-failed', paths: ['a'], ...lane },
    { at: 'after-tool', tool: 'write_to_file', input: write },
  ],
  [
    'trap: commands that are a text which holds a list',
    {
      ...extension,
      hookName: 'PreToolUse',
      preToolUse: { toolName: 'run_commands', parameters: { commands: JSON.stringify(commands) } },
    },
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'run_commands', input: { commands } },
  ],
  ['TaskStart', { ...extension, hookName: 'TaskStart', taskStart: {} }, { event: 'session-start' }, start],
  ['TaskResume', { ...extension, hookName: 'TaskResume', taskResume: {} }, { event: 'session-start' }, start],
  ['UserPromptSubmit', { ...extension, hookName: 'UserPromptSubmit' }, { event: 'turn-end' }, prompt],
  ['TaskComplete', { ...extension, hookName: 'TaskComplete' }, { event: 'turn-end' }, null],
  ['TaskCancel', { ...extension, hookName: 'TaskCancel' }, { event: 'turn-end' }, null],
  ['PreCompact', { ...extension, hookName: 'PreCompact' }, null, null],
  [
    'tool_call, with what the tool is given as it is',
    {
      ...command,
      hookName: 'tool_call',
      tool_call: { id: 'c', name: 'run_commands', input: { commands } },
      preToolUse: { toolName: 'run_commands', parameters: { commands: JSON.stringify(commands) } },
    },
    { event: 'exec-start', ...named },
    { at: 'before-tool', tool: 'run_commands', input: { commands } },
  ],
  [
    'tool_result',
    {
      ...command,
      hookName: 'tool_result',
      tool_result: { id: 'c', name: 'editor', input: { path: 'a', new_text: 'x' }, output: 'ok' },
      postToolUse: { toolName: 'editor', parameters: { path: 'a', new_text: 'x' }, success: true },
    },
    { event: 'write', paths: ['a'], ...named, before: undefined },
    { at: 'after-tool', tool: 'editor', input: { path: 'a', new_text: 'x' } },
  ],
  [
    'a tool of an agent below the main one, which works for the same session',
    {
      ...{ ...command, taskId: 'other', agent_id: 'sub' },
      hookName: 'tool_call',
      tool_call: { id: 'c', name: 'editor', input: { path: 'a' } },
    },
    { event: 'write-start', paths: ['a'], call: 'c', lane: 'sub' },
    { at: 'before-tool', tool: 'editor', input: { path: 'a' } },
  ],
  ['agent_start', { ...command, hookName: 'agent_start' }, { event: 'session-start' }, start],
  ['prompt_submit', { ...command, hookName: 'prompt_submit' }, { event: 'turn-end' }, prompt],
  ['agent_end', { ...command, hookName: 'agent_end' }, { event: 'turn-end' }, null],
  ['agent_error', { ...command, hookName: 'agent_error' }, { event: 'turn-end' }, null],
  ['session_shutdown', { ...command, hookName: 'session_shutdown' }, { event: 'session-end' }, dialogue.end],
  [
    'a model',
    { ...extension, hookName: 'TaskStart', model: { provider: 'anthropic', slug: 'claude-x' } },
    { event: 'session-start', model: 'anthropic/claude-x' },
    start,
  ],
]

const goOn = dialogue.printed({ cancel: false })
const cancelled = (errorMessage: string) => dialogue.printed({ cancel: true, errorMessage })
const reported = (contextModification: string) => dialogue.printed({ cancel: false, contextModification })

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, goOn],
  [deny, before, cancelled(deny.text)],
  [ask, before, cancelled(ask.text)],
  [context, before, reported(context.text)],
  [silence, after, goOn],
  [context, after, reported(context.text)],
  [deny, prompt, cancelled(deny.text)],
  [context, prompt, reported(context.text)],
  [context, start, reported(context.text)],
  [deny, start, reported(deny.text)],
  [silence, stop, goOn],
  [silence, null, goOn],
  [deny, null, cancelled(deny.text)],
]

dialogue.testAdapter(cline, { decoded, common, answers })

test('trap: a cancelled tool ends the whole run, so after a tool the model is told instead', () => {
  expect(cline.encode(deny, after)).toEqual(reported(deny.text))
})
