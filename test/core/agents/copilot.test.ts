import { describe, expect, test } from 'vitest'
import type { HookOutput } from '../../../src/core/agents/adapter.ts'
import { adapterOf, decodePayload } from '../../../src/core/agents/decode.ts'
import { copilot } from '../../../src/core/agents/copilot.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, compacted, context, deny, prompt, SILENT, silence, start, stop } from './dialogue.ts'

const base = { sessionId: 's', timestamp: 1_780_000_000_000, cwd: '/w' }
const common = { session: 's', agent: 'copilot', model: null, cwd: '/w' }
const lane = { call: null, lane: '' }
// What is said of an agent below the main one, whose session is `s`.
const below = { ...base, sessionId: 'a1', agentId: 'a1', agentType: 'general-purpose', parentAgentId: 's' }
const create = { path: '/w/a', file_text: 'x' }
const patch = '*** Begin Patch\n*** Update File: a\n*** Delete File: b\n*** End Patch'
const result = { toolResult: { resultType: 'success', textResultForLlm: 'ok' } }

const decoded: readonly dialogue.DecodeRow[] = [
  ['sessionStart', { ...base, source: 'new', initialPrompt: 'p' }, { event: 'session-start' }, start],
  ['sessionEnd', { ...base, reason: 'complete' }, { event: 'session-end' }, dialogue.end],
  ['userPromptSubmitted', { ...base, prompt: 'p' }, { event: 'turn-end' }, prompt],
  [
    'agentStop',
    { ...base, transcriptPath: '/t', stopReason: 'end_turn', stop_hook_active: false },
    { event: 'turn-end' },
    stop,
  ],
  [
    'agentStop, for the second time',
    { ...base, stopReason: 'end_turn', stop_hook_active: true },
    { event: 'turn-end' },
    { at: 'stop', isRepeated: true },
  ],
  ['the prompt of an agent below the main one, whose turn goes on', { ...below, prompt: 'p' }, null, prompt],
  [
    'the stop of an agent below the main one',
    { ...below, stopReason: 'end_turn', stop_hook_active: false },
    null,
    null,
  ],
  [
    'before an agent below the main one makes a file',
    { ...below, toolName: 'create', toolArgs: create },
    { event: 'write-start', paths: ['/w/a'], call: null, lane: 'a1' },
    { at: 'before-tool', tool: 'create', input: create },
  ],
  [
    'before a file is made',
    { ...base, toolName: 'create', toolArgs: create },
    { event: 'write-start', paths: ['/w/a'], ...lane },
    { at: 'before-tool', tool: 'create', input: create },
  ],
  [
    'arguments that are the text of an object',
    { ...base, toolName: 'create', toolArgs: JSON.stringify(create) },
    { event: 'write-start', paths: ['/w/a'], ...lane },
    { at: 'before-tool', tool: 'create', input: create },
  ],
  [
    'after a patch, which is bare text',
    { ...base, toolName: 'apply_patch', toolArgs: patch, ...result },
    { event: 'write', paths: ['a', 'b'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'apply_patch', input: patch },
  ],
  [
    'a failed edit, after which nothing can be said',
    { ...base, toolName: 'edit', toolArgs: { path: 'a' }, error: 'no' },
    { event: 'write-failed', paths: ['a'], ...lane },
    null,
  ],
  [
    'before a command',
    { ...base, toolName: 'bash', toolArgs: { command: 'make' } },
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'bash', input: { command: 'make' } },
  ],
  [
    'after a command',
    { ...base, toolName: 'bash', toolArgs: { command: 'make' }, ...result },
    { event: 'exec-end', ...lane },
    { at: 'after-tool', tool: 'bash', input: { command: 'make' } },
  ],
  ['userPromptTransformed', { ...base, prompt: 'p', transformedPrompt: 'q' }, null, null],
  ['preCompact', { ...base, trigger: 'auto', customInstructions: '' }, null, null],
  ['subagentStart', { ...base, agentName: 'explore' }, null, null],
  ['subagentStop', { ...base, agentName: 'explore', stopReason: 'end_turn' }, null, null],
  ['errorOccurred', { ...base, error: { message: 'm' }, errorContext: 'system', recoverable: true }, null, null],
]

const decided = (permissionDecision: string, permissionDecisionReason: string) =>
  dialogue.printed({ permissionDecision, permissionDecisionReason })
const denied: HookOutput = { ...decided('deny', deny.text), stderr: `${deny.text}\n`, exit: 2 }
const reported = (additionalContext: string) => dialogue.printed({ additionalContext })

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, SILENT],
  [deny, before, denied],
  [ask, before, decided('ask', ask.text)],
  [context, before, SILENT],
  [deny, after, reported(deny.text)],
  [context, after, reported(context.text)],
  [deny, prompt, reported(deny.text)],
  [context, prompt, reported(context.text)],
  [context, start, reported(context.text)],
  [context, compacted, reported(context.text)],
  [deny, stop, dialogue.printed({ decision: 'block', reason: deny.text })],
  [context, stop, SILENT],
  [context, dialogue.end, SILENT],
  [silence, null, SILENT],
  [deny, null, denied],
]

dialogue.testAdapter(copilot, { decoded, common, answers })

describe('trap: Copilot runs the hooks of `.claude/settings.json`', () => {
  const said = { session_id: 's', timestamp: '2026-11-20T10:00:00.000Z', cwd: '/w' }
  const input = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: create }

  test.each<dialogue.DecodeRow>([
    [
      'Write, with Copilot’s own keys',
      { ...said, ...input },
      { event: 'write-start', paths: ['/w/a'], ...lane },
      { at: 'before-tool', tool: 'Write', input: create },
    ],
    [
      'Edit, which is a patch',
      { ...said, hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: patch, tool_result: {} },
      { event: 'write', paths: ['a', 'b'], ...lane, before: undefined },
      { at: 'after-tool', tool: 'Edit', input: patch },
    ],
    ['UserPromptSubmit', { ...said, hook_event_name: 'UserPromptSubmit', prompt: 'p' }, { event: 'turn-end' }, prompt],
    ['SessionStart', { ...said, hook_event_name: 'SessionStart', source: 'new' }, { event: 'session-start' }, start],
    [
      'Stop',
      { ...said, hook_event_name: 'Stop', transcript_path: '/t', stop_reason: 'end_turn', stop_hook_active: false },
      { event: 'turn-end' },
      stop,
    ],
    ['PreCompact', { ...said, hook_event_name: 'PreCompact', trigger: 'auto' }, null, null],
  ])('what it sends there is heard as its own: %s', (...row) => {
    expect(adapterOf('claude', JSON.stringify(row[1]))).toBe(copilot)
    dialogue.expectDecoded(copilot, row, common)
  })

  test('a refusal is flat JSON at exit 2, for a nested one at 0 would be ignored', () => {
    const text = JSON.stringify({ ...said, ...input })
    expect(adapterOf('claude', text).encode(deny, before)).toEqual(denied)
  })

  test('what Claude Code sends is not taken for Copilot’s', () => {
    const own = { session_id: 's', transcript_path: '/t', cwd: '/w', permission_mode: 'default', tool_use_id: 'c' }
    expect(decodePayload('claude', JSON.stringify({ ...own, ...input }))).toMatchObject({ agent: 'claude' })
  })
})
