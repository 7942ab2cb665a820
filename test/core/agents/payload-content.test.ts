import { expect, test } from 'vitest'
import {
  decodeNamedHook,
  decodeResult,
  NO_CONTENT,
  stopPoint,
  toolInput,
  toolUseContent,
} from '../../../src/agents/payload-content.ts'

const header = { session: 's', agent: 'a', model: 'm/1', cwd: '/w', transcript: '/t' }
const call = { call: 'c', lane: 'l' }

test('an event has the fields of its payload and those of its activity', () => {
  const result = decodeResult(header, { activity: { event: 'turn-end' }, point: { at: 'prompt' } })
  const { transcript: _, ...shared } = header
  expect(result).toEqual({ ...shared, event: { ...header, event: 'turn-end' }, point: { at: 'prompt' } })
})

test('a payload without an activity has no event, and a problem stays one', () => {
  expect(decodeResult(header, { activity: null, point: null })).toMatchObject({ event: null, point: null })
  expect(decodeResult(header, { problem: 'p' })).toEqual({ problem: 'p' })
})

test.each([
  [
    { session_id: 's', hook_event_name: 'Stop' },
    { session: 's', name: 'Stop' },
  ],
  [{ session_id: '', hook_event_name: 'Stop' }, { problem: 'It has no session_id.' }],
  [{ session_id: 's', hook_event_name: 7 }, { problem: 'It has no hook_event_name.' }],
])('of %j the identity is %j', (payload, identity) => {
  let given = {}
  const result = decodeNamedHook(
    payload,
    session => ({ ...header, session }),
    name => ((given = { name }), NO_CONTENT),
  )
  expect('problem' in result ? result : { session: result.session, ...given }).toEqual(identity)
})

test('only `true` makes a stop a repeated one', () => {
  expect(stopPoint({ stop_hook_active: true })).toEqual({ at: 'stop', isRepeated: true })
  expect(stopPoint({ stop_hook_active: 'true' })).toEqual({ at: 'stop', isRepeated: false })
})

test.each([
  ['start', 'write-start', 'before-tool'],
  ['end', 'write', 'after-tool'],
  ['failed', 'write-failed', 'after-tool'],
] as const)('an edit at its %s is recorded as %s and answered %s', (phase, event, at) => {
  const content = toolUseContent({ agent: 'claude', phase, tool: 'Edit', input: { path: 'a' }, call })
  expect(content).toMatchObject({ activity: { event, paths: ['a'], ...call }, point: { at, targets: [{ path: 'a' }] } })
})

test.each([
  ['Read', null],
  ['Task', null],
  ['Bash', 'exec-start'],
  ['NoSuchTool', 'exec-start'],
])('the start of %s is recorded as %s', (tool, event) => {
  const content = toolUseContent({ agent: 'claude', phase: 'start', tool, input: { path: 'a' }, call })
  expect(content).toMatchObject({ activity: event && { event, ...call } })
})

test('a tool without a name is a problem', () => {
  expect(toolUseContent({ agent: 'claude', phase: 'start', tool: null, input: {}, call })).toHaveProperty('problem')
})

test('an input that is the text of an object is that object', () => {
  expect([toolInput('{"a":1}'), toolInput('[1]'), toolInput(7)]).toEqual([{ a: 1 }, '[1]', 7])
})
