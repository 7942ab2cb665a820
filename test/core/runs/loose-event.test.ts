import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LooseKind, takenEvent } from '../../../src/core/runs/loose-event.ts'
import { createRun } from '../../../src/shells/run-library/create-run.ts'

const KINDS: readonly LooseKind[] = [
  ...(['step', 'tool', 'edit', 'check', 'diagnostic', 'plan', 'message', 'ticket', 'violation'] as const),
]

test('a guard takes whatever is reported to it, and answers', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withSparseArray: true, withNullPrototype: true })
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.dictionary(fc.constantFrom(...MEMBERS), anything), (kind, members) => {
      const run = createRun({ checks: ['tests'] })
      for (const it of [members, undefined, null, 3])
        (run as unknown as Record<string, (it: unknown) => void>)[kind]?.(it)
      expect(['running', 'warn', 'aborted_stuck', 'aborted_constraint']).toContain(run.decide().status)
      expect(run.report()).toMatch(/^# Run/)
    }),
  )
})

const MEMBERS = [
  ...[
    'from',
    'to',
    'reason',
    'researchQuality',
    'tool',
    'args',
    'result',
    'exit',
    'tree',
    'batch',
    'key',
    'does',
    'path',
  ],
  ...[
    'before',
    'after',
    'id',
    'command',
    'output',
    'kind',
    'source',
    'message',
    'steps',
    'next',
    'text',
    'rule',
    'detail',
  ],
]

const circle: { self?: unknown } = {}
circle.self = circle

test.each<[string, LooseKind, object, object]>([
  ['a call without a result', 'tool', { tool: 'save', args: {}, exit: 0 }, { result: '', exit: 0 }],
  [
    'an error as the result',
    'tool',
    { tool: 'x', result: new Error('boom') },
    { result: 'Error: boom', isError: true },
  ],
  ['an object as the result', 'tool', { tool: 'x', result: { b: 1, a: [2n] } }, { result: '{"a":[2],"b":1}' }],
  ['a result that holds itself', 'tool', { tool: 'x', result: circle }, { result: '{"self":"…"}' }],
  ['an exit code that is a text', 'tool', { tool: 'x', exit: '2' }, { exit: 2 }],
  ['an exit code that is none', 'tool', { tool: 'x', exit: 'failed' }, { exit: 1 }],
  ['a check by its command alone', 'check', { command: 'npm test', result: 'passed' }, { id: 'npm test', output: '' }],
  ['a check with a result of its own', 'check', { id: 't', result: 'ok' }, { result: 'error', command: 't' }],
  ['a plan without steps', 'plan', { next: 'coder', reason: 'r' }, { steps: 0 }],
  ['a plan of texts', 'plan', { steps: ['a', 'b'] }, { steps: 2 }],
  ['a message without a text', 'message', {}, { from: 'agent', text: '' }],
])('%s is taken', (_, kind, given, event) => {
  expect(takenEvent(kind, given).event).toMatchObject(event)
})

test('a result that kotef does not know is reported, and is no pass', () => {
  const run = createRun({ checks: ['t'] })
  run.check({ id: 't', command: 't', result: 'ok' as never, output: '' })
  expect(run.decide()).toMatchObject({
    status: 'running',
    problems: [
      'The result of a check is none of passed, failed, timeout, error, skipped, stale: it counts as an error.',
    ],
  })
})
