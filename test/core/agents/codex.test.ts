import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { HookPoint } from '../../../src/core/agents/adapter.ts'
import { codex } from '../../../src/core/agents/codex.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, compacted, context, deny, prompt, SILENT, silence, start, stop } from './dialogue.ts'

const base = {
  session_id: 's',
  turn_id: 't',
  transcript_path: null,
  cwd: '/w',
  model: 'gpt-x',
  permission_mode: 'plan',
}
const common = { session: 's', agent: 'codex', model: 'openai/gpt-x', cwd: '/w' }
const tool = (hook_event_name: string, tool_name: string, tool_input: unknown, more: object = {}) => ({
  ...base,
  ...{ hook_event_name, tool_name, tool_input, tool_use_id: 'c' },
  ...more,
})
const lane = { call: 'c', lane: '' }
const command = '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** End Patch'

const decoded: readonly dialogue.DecodeRow[] = [
  ['SessionStart', { ...base, hook_event_name: 'SessionStart', source: 'startup' }, { event: 'session-start' }, start],
  [
    'SessionStart after the conversation was compacted',
    { ...base, hook_event_name: 'SessionStart', source: 'compact' },
    { event: 'session-start' },
    compacted,
  ],
  [
    'SessionEnd, which names no model',
    { ...base, hook_event_name: 'SessionEnd', model: undefined },
    { event: 'session-end', model: null },
    { at: 'session-end' },
  ],
  ['UserPromptSubmit', { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'p' }, { event: 'turn-end' }, prompt],
  ['Stop', { ...base, hook_event_name: 'Stop', stop_hook_active: false }, { event: 'turn-end' }, stop],
  [
    'Stop, for the second time',
    { ...base, hook_event_name: 'Stop', stop_hook_active: true },
    { event: 'turn-end' },
    { at: 'stop', isRepeated: true },
  ],
  ['Interrupt', { ...base, hook_event_name: 'Interrupt' }, { event: 'turn-end' }, null],
  [
    'before a command',
    tool('PreToolUse', 'Bash', { command: 'make' }),
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'Bash', input: { command: 'make' } },
  ],
  [
    'after a command by an agent below the main one',
    tool('PostToolUse', 'Bash', { command: 'make' }, { agent_id: 'sub', tool_response: 'made' }),
    { event: 'exec-end', call: 'c', lane: 'sub' },
    { at: 'after-tool', tool: 'Bash', input: { command: 'make' } },
  ],
  [
    'before a patch of several files',
    tool('PreToolUse', 'apply_patch', { command }),
    { event: 'write-start', paths: ['a', 'b', 'c'], ...lane },
    { at: 'before-tool', tool: 'apply_patch', input: { command } },
  ],
  [
    'after a patch of several files',
    tool('PostToolUse', 'apply_patch', { command }),
    { event: 'write', paths: ['a', 'b', 'c'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'apply_patch', input: { command } },
  ],
  [
    'a tool of another server, which may write anything',
    tool('PreToolUse', 'mcp__fs__edit', { path: 'a' }),
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'mcp__fs__edit', input: { path: 'a' } },
  ],
  [
    "a tool of kotef's own server",
    tool('PreToolUse', 'mcp__kotef__select_active_intent', { intent_id: 'INT-001' }),
    null,
    { at: 'before-tool', tool: 'mcp__kotef__select_active_intent', input: { intent_id: 'INT-001' } },
  ],
  [
    'a model of another maker',
    { ...base, hook_event_name: 'Stop', model: 'qwen/q' },
    { event: 'turn-end', model: 'qwen/q' },
    stop,
  ],
  ['an event that is none of our business', { ...base, hook_event_name: 'PreCompact' }, null, null],
]

const hso = (hookEventName: string, more: object) =>
  dialogue.printed({ hookSpecificOutput: { hookEventName, ...more } })
const denied = (text: string) => hso('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: text })
const contextAt = (name: string) => hso(name, { additionalContext: context.text })
const blocked = dialogue.printed({ decision: 'block', reason: deny.text })

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, SILENT],
  [deny, before, denied(deny.text)],
  [ask, before, denied(ask.text)],
  [context, before, contextAt('PreToolUse')],
  [deny, after, blocked],
  [context, after, contextAt('PostToolUse')],
  [deny, prompt, blocked],
  [context, prompt, contextAt('UserPromptSubmit')],
  [context, start, contextAt('SessionStart')],
  [context, compacted, contextAt('SessionStart')],
  [deny, stop, blocked],
  [context, stop, SILENT],
  [context, dialogue.end, SILENT],
  [silence, null, SILENT],
  [deny, null, { stdout: '', stderr: `${deny.text}\n`, exit: 2 }],
]

dialogue.testAdapter(codex, { decoded, common, answers })

describe('an answer with one key too many is none, and the tool runs', () => {
  const text = { type: 'string' }
  const shape = (properties: object, hso: object | null) => ({
    type: 'object',
    additionalProperties: false,
    properties: {
      ...{ continue: { const: true }, systemMessage: text, ...properties },
      ...(hso
        ? {
            hookSpecificOutput: {
              type: 'object',
              additionalProperties: false,
              required: ['hookEventName'],
              properties: hso,
            },
          }
        : {}),
    },
  })
  const block = { decision: { const: 'block' }, reason: { type: 'string', pattern: '\\S' } }
  const named = (name: string, more: object = {}) => ({
    hookEventName: { const: name },
    additionalContext: text,
    ...more,
  })
  const decision = {
    permissionDecision: { const: 'deny' },
    permissionDecisionReason: { type: 'string', pattern: '\\S' },
  }
  const shapes: readonly [HookPoint, object][] = [
    [before, shape(block, named('PreToolUse', decision))],
    [after, shape(block, named('PostToolUse'))],
    [prompt, shape(block, named('UserPromptSubmit'))],
    [start, shape({}, named('SessionStart'))],
    [compacted, shape({}, named('SessionStart'))],
    [stop, shape(block, null)],
    [dialogue.end, shape({}, null)],
  ]

  test.each(shapes)('at %j no answer has one', (moment, schema) => {
    const fits = new Ajv().compile(schema)
    for (const reply of [silence, context, deny, ask, { kind: 'deny', text: ' ' } as const]) {
      const { stdout, exit } = codex.encode(reply, moment)
      expect(exit).toBe(0)
      expect(stdout === '' || fits(JSON.parse(stdout)), `${reply.kind}: ${stdout}`).toBe(true)
    }
  })

  test('trap: `continue: false` would let a refused tool run, and is never said', () => {
    const all = dialogue.hookPoints.flatMap(it => [deny, ask, context].map(reply => codex.encode(reply, it)))
    expect(all.filter(it => it.stdout.includes('continue'))).toEqual([])
  })

  test('trap: `ask` is no word of Codex, so whoever would have to ask denies', () => {
    expect(codex.encode(ask, before)).toEqual(denied(ask.text))
  })
})
