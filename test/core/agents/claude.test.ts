import { describe, expect, test } from 'vitest'
import { claude } from '../../../src/core/agents/claude.ts'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, compacted, context, deny, end, prompt, silence, start, stop } from './dialogue.ts'

const eventOf = (payload: object): unknown => {
  const result = claude.decode({ ...payload })
  return 'problem' in result ? result.problem : result.event
}

describe('Claude Code', () => {
  const base = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/w', permission_mode: 'default' }
  const common = { session: 's', agent: 'claude', model: null, cwd: '/w', transcript: '/t.jsonl' }
  const tool = (hook_event_name: string, tool_name: string, tool_input: object, more: object = {}) => ({
    ...base,
    ...{ hook_event_name, tool_name, tool_input, tool_use_id: 'c' },
    ...more,
  })
  const write = { file_path: '/w/a', content: 'secret' }
  const lane = { call: 'c', lane: '' }

  test.each<[what: string, payload: object, event: object | null]>([
    ['SessionStart', { ...base, hook_event_name: 'SessionStart', source: 'startup' }, { event: 'session-start' }],
    [
      'SessionStart with a model',
      { ...base, hook_event_name: 'SessionStart', source: 'resume', model: 'claude-x' },
      { event: 'session-start', model: 'anthropic/claude-x' },
    ],
    [
      'a model of another maker',
      { ...base, hook_event_name: 'SessionStart', model: 'openai/gpt' },
      { event: 'session-start', model: 'openai/gpt' },
    ],
    [
      'a model too long for Agent Trace',
      { ...base, hook_event_name: 'SessionStart', model: 'm'.repeat(241) },
      { event: 'session-start', model: null },
    ],
    ['SessionEnd', { ...base, hook_event_name: 'SessionEnd', reason: 'exit' }, { event: 'session-end' }],
    ['UserPromptSubmit', { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'p' }, { event: 'turn-end' }],
    ['Stop', { ...base, hook_event_name: 'Stop', stop_hook_active: false }, { event: 'turn-end', busy: [] }],
    [
      'Stop while agents go on in the background',
      {
        ...base,
        hook_event_name: 'Stop',
        background_tasks: [
          { id: 'a1', type: 'subagent', status: 'running' },
          { id: 'a2', type: 'subagent', status: 'completed' },
          { id: 7, status: 'running' },
          null,
          'running',
        ],
      },
      { event: 'turn-end', busy: ['a1'] },
    ],
    ['before Write', tool('PreToolUse', 'Write', write), { event: 'write-start', paths: ['/w/a'], ...lane }],
    [
      'after Write of a new file',
      tool('PostToolUse', 'Write', write, { tool_response: { type: 'create', originalFile: null } }),
      { event: 'write', paths: ['/w/a'], ...lane, before: null },
    ],
    [
      'after Write, with the content that it wrote',
      tool('PostToolUse', 'Write', write, { tool_response: { type: 'update', originalFile: 'b\n', content: 'c\n' } }),
      {
        event: 'write',
        paths: ['/w/a'],
        ...lane,
        before: blobOid(Buffer.from('b\n')),
        after: blobOid(Buffer.from('c\n')),
      },
    ],
    [
      'after Write of what the person changed first',
      tool('PostToolUse', 'Write', write, {
        tool_response: { originalFile: null, content: 'c\n', userModified: true },
      }),
      { event: 'write', paths: ['/w/a'], ...lane, before: null },
    ],
    [
      'after Edit',
      tool('PostToolUse', 'Edit', { file_path: 'a', old_string: 'b' }, { tool_response: { originalFile: 'b\n' } }),
      { event: 'write', paths: ['a'], ...lane, before: blobOid(Buffer.from('b\n')) },
    ],
    [
      'after MultiEdit',
      tool('PostToolUse', 'MultiEdit', { file_path: 'a' }),
      { event: 'write', paths: ['a'], ...lane, before: undefined },
    ],
    [
      'before NotebookEdit by an agent below the main one',
      tool('PreToolUse', 'NotebookEdit', { notebook_path: '/w/n.ipynb' }, { agent_id: 'sub' }),
      { event: 'write-start', paths: ['/w/n.ipynb'], call: 'c', lane: 'sub' },
    ],
    ['a failed Write', tool('PostToolUseFailure', 'Write', write), { event: 'write-failed', paths: ['/w/a'], ...lane }],
    ['before Bash', tool('PreToolUse', 'Bash', { command: 'ls' }), { event: 'exec-start', ...lane }],
    ['after Bash', tool('PostToolUse', 'Bash', { command: 'ls' }), { event: 'exec-end', ...lane }],
    ['a failed Bash', tool('PostToolUseFailure', 'Bash', { command: 'ls' }), { event: 'exec-end', ...lane }],
    ['a tool that only reads', tool('PreToolUse', 'Read', { file_path: '/w/a' }), null],
    ['a tool without a path', tool('PreToolUse', 'Write', {}), null],
    ['an event that is none of our business', { ...base, hook_event_name: 'Notification' }, null],
    ['an event named like a property of every object', { ...base, hook_event_name: 'constructor' }, null],
  ])('%s', (_, payload, event) => {
    expect(eventOf(payload)).toEqual(event && { ...common, ...event })
  })
})

const said = { session_id: 's', cwd: '/w' }
const use = { tool_name: 'Write', tool_input: { file_path: 'a' } }

test.each<[name: string, more: object, point: object | null]>([
  ['PreToolUse', use, { at: 'before-tool', tool: 'Write', class: 'write', targets: [{ path: 'a' }] }],
  ['PostToolUse', use, { at: 'after-tool', tool: 'Write' }],
  ['PostToolUseFailure', use, { at: 'after-tool', tool: 'Write' }],
  ['UserPromptSubmit', { prompt: '<task-notification> done' }, { at: 'prompt' }],
  ['SessionStart', { source: 'compact' }, { at: 'compacted' }],
  ['SessionStart', { source: 'clear' }, { at: 'session-start' }],
  ['SessionEnd', {}, { at: 'session-end' }],
  ['Stop', { stop_hook_active: true }, { at: 'stop', isRepeated: true }],
  [
    'ConfigChange',
    { file_path: '/w/.claude/settings.json' },
    { at: 'settings-change', path: '/w/.claude/settings.json' },
  ],
  ['ConfigChange', {}, { at: 'settings-change', path: null }],
  ['Notification', {}, null],
])('the hook %s with %j is answered as %j', (name, more, point) => {
  expect(claude.decode({ ...said, ...more, hook_event_name: name })).toMatchObject({ point })
})

test('a prompt by which a subagent reports to the main one does not end its turn', () => {
  expect(eventOf({ ...said, hook_event_name: 'UserPromptSubmit', prompt: '<task-notification> done' })).toBeNull()
})

const specific = (hookEventName: string, more: object) =>
  dialogue.printed({ hookSpecificOutput: { hookEventName, ...more } })
const decision = (permissionDecision: string, text: string) =>
  specific('PreToolUse', { permissionDecision, permissionDecisionReason: text })
const read = (hookEventName: string) => specific(hookEventName, { additionalContext: context.text })
const blocked = dialogue.printed({ decision: 'block', reason: deny.text })

const answers: readonly dialogue.AnswerRow[] = [
  [deny, before, decision('deny', deny.text)],
  [ask, before, decision('ask', ask.text)],
  [context, before, read('PreToolUse')],
  [deny, after, blocked],
  [context, after, read('PostToolUse')],
  [deny, prompt, blocked],
  [context, prompt, read('UserPromptSubmit')],
  [context, start, read('SessionStart')],
  [deny, start, specific('SessionStart', { additionalContext: deny.text })],
  [context, compacted, read('SessionStart')],
  [deny, stop, blocked],
  [context, stop, dialogue.SILENT],
  [deny, { at: 'settings-change', path: null }, blocked],
  [deny, end, dialogue.SILENT],
  [deny, null, { stdout: '', stderr: `${deny.text}\n`, exit: 2 }],
]

dialogue.testAdapter(claude, { answers })

test('a silent hook prints nothing, at every point', () => {
  for (const point of dialogue.hookPoints) expect(claude.encode(silence, point)).toEqual(dialogue.SILENT)
})
