import { expect, test } from 'vitest'
import { applyCall } from '../../../src/core/runs/apply-call.ts'
import type { ToolEvent } from '../../../src/core/runs/event.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { runTerms, safely } from '../../rig/safe-events.ts'

const call = (more: Partial<ToolEvent> = {}) =>
  safely<'tool'>({
    ...{ kind: 'tool', tool: 'Bash', args: { command: 'npm test' }, result: 'Error: no', exit: 1, tree: 't1' },
    ...more,
  })
const { key } = call()
const started = () => startedRun(runTerms([]))

test('a failure is known by its command and error, with the trees on which it was seen', () => {
  const run = started()
  const [first, again] = [applyCall(run, call()), applyCall(run, call({ tree: 't2' }))]
  expect(again).toBe(first)
  expect(run.failures).toEqual({ [key]: { signature: first, what: 'Bash: npm test', count: 2, trees: ['t1', 't2'] } })
  applyCall(run, call({ tree: 't1' }))
  expect(run.failures[key]).toMatchObject({ count: 2 })
})

test('another error begins again, and is progress; so is a pass', () => {
  const run = started()
  applyCall(run, call())
  applyCall(run, call({ result: 'Error: something else' }))
  expect(run.timeline.at(-1)?.what).toBe('Bash: npm test fails for another reason')
  applyCall(run, call({ exit: 0 }))
  expect(run.timeline.at(-1)?.what).toBe('Bash: npm test no longer fails')
  expect(run.failures).toEqual({})
})

test('a failure of the network counts only as that', () => {
  const run = started()
  expect(applyCall(run, call({ result: 'HTTP 503 Service Unavailable' }))).toBeNull()
  expect(run).toMatchObject({ infrastructureErrors: 1, sameError: null, failures: {}, calls: [] })
  applyCall(run, call())
  expect(run.infrastructureErrors).toBe(0)
})

test('the calls, failures and trees that are kept are bounded', () => {
  const run = started()
  for (let n = 0; n < 500; n++) applyCall(run, call({ args: n, tree: `t${n}` }))
  const { calls, failures, returns, seen } = run
  expect([calls.length, Object.keys(failures).length, Object.keys(returns).length, seen.length <= 400]).toEqual([
    ...[15, 50, 200],
    true,
  ])
})
