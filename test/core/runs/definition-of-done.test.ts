import { expect, test } from 'vitest'
import { endOfGraph } from '../../../src/core/runs/definition-of-done.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { runTerms } from '../../rig/safe-events.ts'
import { createRun } from '../../../src/shells/run-library/create-run.ts'

const passed = { id: 'tests', command: 'npm test', result: 'passed', output: '' } as const
const PROFILES = [undefined, 'strict', 'fast', 'smoke', 'yolo'] as const

function decided({ profile, source }: { profile: (typeof PROFILES)[number]; source: string | null }) {
  const run = createRun({ checks: ['tests'], ...(profile && { profile }) })
  run.check(passed)
  if (source !== null) run.diagnostic({ kind: 'error', source, message: 'no' })
  return run.decide().status
}

test('a red build or test is never done, in any profile', () => {
  for (const source of ['build', 'test', 'tests', 'compiler', 'tsc'])
    expect(PROFILES.map(profile => decided({ profile, source }))).toEqual(PROFILES.map(() => 'running'))
})

test('an error of another tool leaves a run done in part, and not in the strict profile', () => {
  expect(PROFILES.map(profile => decided({ profile, source: 'eslint' }))).toEqual([
    ...['done_partial', 'running', 'done_partial', 'done_partial', 'done_partial'],
  ])
  expect(PROFILES.map(profile => decided({ profile, source: null }))).toEqual(PROFILES.map(() => 'done_success'))
})

test('a check that passed counts for the tree that it ran on, and for no other', () => {
  const run = createRun({ checks: ['tests', 'lint'] })
  run.check({ ...passed, tree: 'a' })
  run.check({ ...passed, id: 'lint', tree: 'b' })
  expect(run.decide().status).toBe('running')
  run.check({ ...passed, tree: 'b' })
  expect(run.decide().status).toBe('done_success')
})

test('a graph that ends says by its checks how: every run has one of four ends', () => {
  const green = createRun({ checks: ['tests'] })
  green.check(passed)
  expect(green.end()).toMatchObject({ status: 'done_success', rule: 'definition-of-done' })
  const open = createRun({ checks: ['tests', 'lint'] })
  open.check(passed)
  expect(open.end()).toMatchObject({
    status: 'aborted_stuck',
    evidence: 'The graph ended, and 1 of its 2 checks have not passed on this tree: lint',
  })
  const broken = createRun({ checks: ['tests'] })
  broken.check(passed)
  broken.diagnostic({ kind: 'error', source: 'build', message: 'no' })
  expect(broken.end()).toMatchObject({ status: 'aborted_stuck', evidence: 'The graph ended with errors: build' })
  const unchecked = createRun()
  expect(unchecked.end()).toMatchObject({ status: 'done_partial', rule: 'ended-by-graph' })
  expect(unchecked.end()).toMatchObject({ status: 'done_partial' })
  expect(unchecked.report()).toContain('**done_partial**')
})

test('a graph that gives up is stuck, and one without checks that just ends is done in part', () => {
  const run = startedRun(runTerms([]))
  expect(endOfGraph(run, { mayBePartial: true, isGivenUp: true }).status).toBe('aborted_stuck')
  expect(endOfGraph(run, { mayBePartial: false, isGivenUp: false }).status).toBe('done_partial')
})
