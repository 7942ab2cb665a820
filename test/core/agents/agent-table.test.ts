import { expect, test } from 'vitest'
import type { HookOutput, HookPoint } from '../../../src/core/agents/adapter.ts'
import { adapterFrom, type AgentTable, namedBy, toolContent, toolInput } from '../../../src/core/agents/agent-table.ts'
import { ADAPTERS } from '../../../src/core/agents/decode.ts'
import { ask, context, deny, hookPoints } from './dialogue.ts'

const call = { call: 'c', lane: 'l' }
const table: AgentTable = {
  agent: 'a',
  identity: namedBy('hook_event_name', 'session_id'),
  model: () => 'm/1',
  transcript: 'transcript',
  hooks: { Stop: 'turn-end', Prompt: 'subagent-prompt', Broken: () => ({ problem: 'p' }) },
  tool: () => ({ tool: null, input: null, ...call }),
  answers: { at: {}, undecoded: () => ({}) },
}
const header = { session: 's', agent: 'a', model: 'm/1', cwd: '/w', transcript: '/t' }
const payload = { session_id: 's', hook_event_name: 'Stop', cwd: '/w', transcript: '/t' }

test('an event has the fields of its payload and those of its activity', () => {
  const { transcript: _, ...shared } = header
  const event = { ...header, event: 'turn-end' }
  expect(adapterFrom(table).decode(payload)).toEqual({ ...shared, event, point: null })
})

test('a payload without an activity has no event, and a problem stays one', () => {
  const decode = (name: string) => adapterFrom(table).decode({ ...payload, hook_event_name: name })
  expect(decode('Prompt')).toMatchObject({ event: null, point: { at: 'prompt' } })
  expect(decode('Unknown')).toMatchObject({ event: null, point: null })
  expect(decode('toString')).toMatchObject({ event: null, point: null })
  expect(decode('Broken')).toEqual({ problem: 'p' })
})

test.each([
  [
    { session_id: 's', hook_event_name: 'Stop' },
    { session: 's', name: 'Stop' },
  ],
  [{ session_id: '', hook_event_name: 'Stop' }, { problem: 'It has no session_id.' }],
  [{ session_id: 's', hook_event_name: 7 }, { problem: 'It has no hook_event_name.' }],
])('of %j the identity is %j', (given, identity) => {
  expect(table.identity(given)).toEqual(identity)
})

test('only `true` makes a stop a repeated one', () => {
  const decode = (more: object) => adapterFrom({ ...table, hooks: { Stop: 'stop' } }).decode({ ...payload, ...more })
  expect(decode({ stop_hook_active: true })).toMatchObject({ point: { at: 'stop', isRepeated: true } })
  expect(decode({ stop_hook_active: 'true' })).toMatchObject({ point: { at: 'stop', isRepeated: false } })
})

test.each([
  ['start', 'write-start', 'before-tool'],
  ['end', 'write', 'after-tool'],
  ['failed', 'write-failed', 'after-tool'],
] as const)('an edit at its %s is recorded as %s and answered %s', (phase, event, at) => {
  const content = toolContent('claude', phase, { tool: 'Edit', input: { path: 'a' }, ...call })
  expect(content).toMatchObject({ activity: { event, paths: ['a'], ...call }, point: { at, targets: [{ path: 'a' }] } })
})

test.each([
  ['Read', null],
  ['Task', null],
  ['Bash', 'exec-start'],
  ['NoSuchTool', 'exec-start'],
])('the start of %s is recorded as %s', (tool, event) => {
  const content = toolContent('claude', 'start', { tool, input: { path: 'a' }, ...call })
  expect(content).toMatchObject({ activity: event && { event, ...call } })
})

test('a tool without a name is a problem', () => {
  expect(toolContent('claude', 'start', { tool: null, input: {}, ...call })).toHaveProperty('problem')
})

test('an input that is the text of an object is that object', () => {
  expect([toolInput('{"a":1}'), toolInput('[1]'), toolInput(7)]).toEqual([{ a: 1 }, '[1]', 7])
})

// What a denial, a question and a context become at each point: it blocks (b), a person is asked (?), the model
// reads it (r), nothing happens (-). Of a payload that can't be decoded there is no context.
const POINTS = 'before after prompt start compacted end stop settings undecoded'
test.each([
  ['claude', 'b?r bbr bbr rrr rrr --- bb- bb- bb'],
  ['codex', 'bbr bbr bbr rrr rrr --- bb- --- bb'],
  ['gemini', 'bb- bbr bbr rrr --- --- bb- --- bb'],
  ['copilot', 'b?- rrr rrr rrr rrr --- bb- --- bb'],
  ['cursor', 'bb- rrr bbr rrr --- --- bb- --- bb'],
  ['opencode', 'bbr rrr rrr rrr rrr rrr rrr rrr bb'],
  ['cline', 'bbr rrr bbr rrr rrr rrr rrr rrr bb'],
  ['generic', 'bbr bbr bbr bbr bbr bbr bbr bbr bb'],
])(`%s at ${POINTS}: %s`, (agent, answers) => {
  const lettersAt = (point: HookPoint | null) => {
    const replies = point === null ? [deny, ask] : [deny, ask, context]
    return replies.map(it => letterFor(ADAPTERS[agent]?.encode(it, point), it.text)).join('')
  }
  expect(hookPoints.map(lettersAt).join(' ')).toBe(answers)
})

function letterFor(output: HookOutput | undefined, text: string): string {
  const { stdout = '', stderr = '', exit } = output ?? {}
  if (exit === 2 || BLOCKS.test(stdout)) return 'b'
  if (/"permissionDecision":"ask"/.test(stdout)) return '?'
  return `${stdout}${stderr}`.includes(JSON.stringify(text)) ? 'r' : '-'
}

const BLOCKS =
  /"(?:permission(?:Decision)?|decision)":"(?:deny|block)"|"followup_message"|"continue":false|"cancel":true|"deny":/
