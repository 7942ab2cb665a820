import { describe, expect, test } from 'vitest'
import { generic } from '../../../src/core/agents/generic.ts'
import { after, ask, before, context, deny, hookPoints, printed, silence, SILENT } from './dialogue.ts'

const eventOf = (payload: object): unknown => {
  const result = generic.decode({ ...payload })
  return 'problem' in result ? result.problem : result.event
}

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
    expect(eventOf({ ...said, ...payload })).toEqual({ ...common, ...event })
  })

  test('a name and a model need not be said', () => {
    expect(eventOf({ event: 'exec-start', session: 's' })).toMatchObject({ agent: 'generic', model: null })
  })
})

const edit = { tool: 'Write', input: { path: 'a' }, call: '7' }
const lane = { call: '7', lane: '7' }

test.each<[payload: object, event: object | null, point: object]>([
  [
    { ...edit, event: 'before-tool' },
    { event: 'write-start', paths: ['a'], ...lane },
    { at: 'before-tool', tool: 'Write' },
  ],
  [
    { ...edit, event: 'after-tool' },
    { event: 'write', paths: ['a'], ...lane },
    { at: 'after-tool', tool: 'Write' },
  ],
  [{ ...edit, event: 'after-tool', failed: true }, { event: 'write-failed', paths: ['a'] }, { at: 'after-tool' }],
  [{ event: 'prompt' }, { event: 'turn-end' }, { at: 'prompt' }],
  [{ event: 'stop', repeated: true }, { event: 'turn-end' }, { at: 'stop', isRepeated: true }],
  [{ event: 'compacted' }, null, { at: 'compacted' }],
  [{ event: 'settings-change', path: 'a.json' }, null, { at: 'settings-change', path: 'a.json' }],
])('%j is recorded as %j and answered as %j', (payload, event, point) => {
  expect(generic.decode({ session: 's', ...payload })).toMatchObject({ event, point })
})

test('a tool without a name is a problem', () => {
  expect(generic.decode({ session: 's', event: 'before-tool' })).toEqual({ problem: 'It has no tool.' })
})

test('a denial is printed as it is, with exit code 2, and so is a question', () => {
  expect(generic.encode(deny, before)).toEqual({ stdout: `${deny.text}\n`, stderr: '', exit: 2 })
  expect(generic.encode(ask, after)).toMatchObject({ stdout: '{"status":"error","message":"May it?"}\n', exit: 2 })
})

test('a denial of a payload that was not decoded is on stderr too', () => {
  expect(generic.encode(deny, null)).toEqual({ stdout: `${deny.text}\n`, stderr: `${deny.text}\n`, exit: 2 })
})

test('a context is a success, and silence prints nothing, at every point', () => {
  for (const point of hookPoints) {
    expect(generic.encode(context, point)).toEqual(printed({ status: 'success', context: context.text }))
    expect(generic.encode(silence, point)).toEqual(SILENT)
  }
})
