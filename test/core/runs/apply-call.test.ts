import { expect, test } from 'vitest'
import { applyCall, type EndedCall } from '../../../src/runs/apply-call.ts'
import { startedRun } from '../../../src/runs/run-state.ts'

const call = (more: Partial<EndedCall> = {}): EndedCall => ({
  ...{ key: 'Bash npm test', output: 'Error: no', exit: '1', isFailure: true },
  ...{ isTimeout: false, isPoll: false, tree: 't1' },
  ...more,
})
const started = () => startedRun({ checks: [], appetite: null })

test('a failure is known by its command and error, with the trees on which it was seen', () => {
  const run = started()
  const [first, again] = [applyCall(run, call()), applyCall(run, call({ tree: 't2' }))]
  expect(again).toBe(first)
  expect(run.failures).toEqual({ 'Bash npm test': { signature: first, count: 2, trees: ['t1', 't2'] } })
  applyCall(run, call({ tree: 't1' }))
  expect(run.failures['Bash npm test']).toMatchObject({ count: 2 })
})

test('another error begins again, and is progress; so is a pass', () => {
  const run = started()
  applyCall(run, call())
  applyCall(run, call({ output: 'Error: something else' }))
  expect(run.timeline.at(-1)?.what).toBe('Bash npm test fails for another reason')
  applyCall(run, call({ isFailure: false, exit: '0' }))
  expect(run.timeline.at(-1)?.what).toBe('Bash npm test no longer fails')
  expect(run.failures).toEqual({})
})

test('a failure of the network counts only as that', () => {
  const run = started()
  expect(applyCall(run, call({ output: 'HTTP 503 Service Unavailable' }))).toBeNull()
  expect(run).toMatchObject({ infrastructureErrors: 1, sameError: null, failures: {}, calls: [] })
  applyCall(run, call())
  expect(run.infrastructureErrors).toBe(0)
})

test('the calls, failures and trees that are kept are bounded', () => {
  const run = started()
  for (let n = 0; n < 500; n++) applyCall(run, call({ key: `Bash ${n}`, tree: `t${n}` }))
  const { calls, failures, returns, seen } = run
  expect([calls.length, Object.keys(failures).length, Object.keys(returns).length, seen.length <= 400]).toEqual([
    ...[15, 50, 200],
    true,
  ])
})
