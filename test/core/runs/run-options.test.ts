import { expect, test } from 'vitest'
import { runOptionProblems } from '../../../src/core/runs/run-options.ts'
import { createRun } from '../../../src/shells/run-library/create-run.ts'

test.each<[string, unknown, RegExp]>([
  ['an option that is none', { profiles: 'fast' }, /^the option `profiles` is none of checks, appetite, profile/],
  ['a profile that is none', { profile: 'bogus' }, /^expected `profile` to be one of strict, fast, smoke, yolo$/],
  ['a limit that is none', { limits: { edgeStops: 2 } }, /^the limit `edgeStops` is none of sameCallWarn/],
  ['a limit that is no number', { limits: { edgeStop: '2' } }, /^expected the limit `edgeStop` to be a number$/],
  ['limits that are no object', { limits: 3 }, /^expected `limits` to be an object$/],
  ['checks that are one text', { checks: 'npm test' }, /^expected `checks` to be a list of ids$/],
  ['an appetite that is none', { appetite: 'small' }, /^expected `appetite` to be Small, Batch or Big$/],
  ['a recursion limit below zero', { recursionLimit: -1 }, /^expected `recursionLimit` to be a whole number/],
  ['no object', 'fast', /^expected an object of options$/],
])('%s is one clear error at creation', (_, options, says) => {
  expect(runOptionProblems(options)).toEqual([expect.stringMatching(says)])
  expect(() => createRun(options as never)).toThrow(new TypeError(`createRun: ${runOptionProblems(options)[0]}`))
})

test('every option that is documented is taken', () => {
  const store = { load: () => null, save: () => {} }
  const endNodes = { done: 'a', aborted: 'b' }
  const options = {
    checks: ['t'],
    appetite: 'Big',
    profile: 'fast',
    limits: { edgeStop: 0 },
    recursionLimit: 0,
  } as const
  expect(runOptionProblems({ ...options, goal: 'g', clock: Date.now, store, endNodes })).toEqual([])
  expect(runOptionProblems({})).toEqual([])
})
