import { expect, test } from 'vitest'
import { toolOutcome } from '../../../src/core/agents/tool-outcome.ts'

const bash = (more: object) => ({ stdout: '', stderr: '', interrupted: false, ...more })

test.each<[what: string, payload: Record<string, unknown>, outcome: object]>([
  ['Claude Code: a command', { tool_response: bash({ stdout: 'a', stderr: 'b' }) }, { output: 'a\nb', isError: false }],
  [
    'Claude Code: a failure',
    { error: 'Exit code 2\nno rule' },
    { isError: true, exit: 2, output: 'Exit code 2\nno rule' },
  ],
  [
    'Claude Code: a test that is false, which it reports as a success',
    { tool_response: bash({ returnCodeInterpretation: 'Condition is false' }) },
    { isError: true, exit: 1, goesOn: false },
  ],
  [
    'Claude Code: a command that goes on in the background',
    { tool_response: bash({ backgroundTaskId: 'b1' }) },
    { isError: false, exit: null, goesOn: true },
  ],
  ['Claude Code: stopped by a person', { error: 'stopped', is_interrupt: true }, { isInterrupted: true }],
  ['Claude Code: a time limit', { error: 'Command timed out after 2m 0.0s' }, { isError: true, isTimeout: true }],
  ['Codex: text', { tool_response: 'Exit code: 1\nOutput:\nno' }, { isError: true, exit: 1 }],
  ['Codex: with metadata', { tool_response: { output: 'no', metadata: { exit_code: 3 } } }, { isError: true, exit: 3 }],
  ['Gemini CLI', { tool_response: { llmContent: 'Exit Code: 1\nno', error: undefined } }, { isError: true, exit: 1 }],
  ['Copilot CLI', { toolResult: { resultType: 'failure', textResultForLlm: 'no' } }, { isError: true, output: 'no' }],
  ['Copilot CLI: an exit code', { toolResult: { textResultForLlm: 'no\n<exited with exit code 1>' } }, { exit: 1 }],
  [
    'Copilot CLI: a shell',
    { toolResult: { textResultForLlm: 'no\n<shellId: 3 completed with exit code 2>' } },
    { exit: 2, output: 'no\n' },
  ],
  [
    'Gemini CLI: its frame',
    { tool_response: { llmContent: '<u>\nOutput: no\nExit Code: 2\nProcess Group PGID: 24\n</u>' } },
    { exit: 2, output: '<u>\nOutput: no\nExit Code: 2\n</u>' },
  ],
  ['Cursor', { tool_output: '{"exitCode":0}' }, { isError: false, output: '{"exitCode":0}' }],
  ['Cline', { postToolUse: { success: false, result: 'no' } }, { isError: true, output: 'no' }],
  ['any agent', { result: 'no', exit: 7 }, { isError: true, exit: 7, output: 'no' }],
  [
    'parts of a message',
    {
      tool_response: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    { output: 'a\nb' },
  ],
  [
    'a program that prints of exit codes',
    { tool_response: bash({ stdout: `${'x'.repeat(400)} the exit code 1` }) },
    { exit: null },
  ],
])('%s', (_, payload, outcome) => {
  expect(toolOutcome(payload)).toMatchObject(outcome)
})

test('a payload without a result says nothing of how the call ended', () => {
  expect(toolOutcome({ tool_name: 'Bash', tool_input: { command: 'make' } })).toBeNull()
})

test('of a large result the end is kept', () => {
  const { output } = toolOutcome({ tool_response: bash({ stdout: `${'x'.repeat(1_000_000)}end` }) }) ?? { output: '' }
  expect([output.length, output.endsWith('end')]).toEqual([16_000, true])
})

test('what refers to itself, or is nested without end, is read as far as sensible', () => {
  const loop: Record<string, unknown> = {}
  loop['content'] = loop
  expect(toolOutcome({ tool_response: loop })).toMatchObject({ output: '' })
})
