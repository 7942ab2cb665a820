import { describe, expect, test } from 'vitest'
import { decodePayload } from '../../../src/agents/decode.ts'
import { lastModelIn } from '../../../src/agents/transcript.ts'
import { blobOid } from '../../../src/git/blob-oid.ts'

const eventOf = (agent: string, payload: unknown): unknown => {
  const heard = decodePayload(agent, JSON.stringify(payload))
  return 'problem' in heard ? heard.problem : heard.event
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
    expect(eventOf('claude', payload)).toEqual(event && { ...common, ...event })
  })

  test.each([
    ['the last one that speaks', ['claude-a', 'claude-b'], 'anthropic/claude-b'],
    ['not what Claude Code put there itself', ['claude-a', '<synthetic>'], 'anthropic/claude-a'],
    ['none', [], null],
  ])('of the models in a conversation, %s', (_, models, model) => {
    const lines = models.map(it => JSON.stringify({ type: 'assistant', message: { model: it, content: [] } }))
    const others = ['{"type":"user","message":{"content":"\\"model\\":\\"x\\""}}', '{"cut off', '']
    expect(lastModelIn(['off"}', ...lines, ...others].join('\n'))).toBe(model)
  })
})

describe('any other agent', () => {
  const common = { session: 's', agent: 'aider', model: 'vendor/m', cwd: null, transcript: null }
  const said = { session: 's', agent: 'aider', model: 'vendor/m' }

  test.each<[payload: object, event: object]>([
    [{ event: 'session-start' }, { event: 'session-start' }],
    [{ event: 'session-end' }, { event: 'session-end' }],
    [{ event: 'exec-start' }, { event: 'exec-start', call: null, lane: '' }],
    [
      { event: 'exec-end', call: '7' },
      { event: 'exec-end', call: '7', lane: '7' },
    ],
    [
      { event: 'write-start', path: 'a' },
      { event: 'write-start', paths: ['a'], call: null, lane: '' },
    ],
    [
      { event: 'write', path: 'a' },
      { event: 'write', paths: ['a'], call: null, lane: '', before: undefined },
    ],
  ])('%j', (payload, event) => {
    expect(eventOf('generic', { ...said, ...payload })).toEqual({ ...common, ...event })
  })

  test('a name and a model need not be said', () => {
    expect(eventOf('generic', { event: 'exec-start', session: 's' })).toMatchObject({ agent: 'generic', model: null })
  })
})

test.each([
  ['claude', '{"session_id":', 'It is not a JSON object.'],
  ['claude', '[]', 'It is not a JSON object.'],
  ['claude', 'null', 'It is not a JSON object.'],
  ['claude', '{}', 'It has no session_id.'],
  ['claude', '{"session_id":7}', 'It has no session_id.'],
  ['claude', '{"session_id":"s"}', 'It has no hook_event_name.'],
  ['generic', '{"event":"write"}', 'It has no session.'],
  ['generic', '{"session":"s","event":"write"}', 'It has no path.'],
  ['generic', '{"session":"s","event":"write","path":"a\\u0000b"}', 'It has no path.'],
  ['generic', '{"session":"s","event":"toString"}', 'Its event is not one that kotef knows.'],
  [
    'nobody',
    '{}',
    'kotef knows no agent of that name, only claude, codex, gemini, copilot, cursor, opencode, cline, generic.',
  ],
])('for %s, %s is a problem', (agent, text, problem) => {
  expect(decodePayload(agent, text)).toEqual({ problem })
})
