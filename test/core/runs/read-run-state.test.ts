import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRun, type RunStore } from '../../../src/shells/run-library/create-run.ts'
import type { RunEvent } from '../../../src/core/runs/event.ts'
import { readRunEnd, readRunState, savedEnd } from '../../../src/core/runs/read-run-state.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { foldRun, runTerms, text } from '../../rig/safe-events.ts'

const EVENTS: readonly RunEvent[] = [
  { kind: 'step', from: 'planner', to: 'coder', reason: 'write it', researchQuality: 1 },
  { kind: 'plan', steps: 2, next: 'coder', reason: 'small' },
  { kind: 'edit', path: 'a', before: 'a', after: 'b' },
  { kind: 'tool', tool: 'Bash', args: { command: 'make' }, result: 'Error: no', exit: 1, tree: 't', does: 'command' },
  { kind: 'check', id: 'tests', command: 'npm test', result: 'failed', output: 'Error: no', tree: 't' },
  { kind: 'diagnostic', severity: 'error', source: 'tsc', message: 'no' },
  { kind: 'violation', rule: 'no-new-files', isHard: false, detail: 'b' },
  { kind: 'message', from: 'agent', text: 'done' },
  { kind: 'tool', tool: 'Read', args: { path: 'a' }, result: 'a', batch: 'one' },
]
const full = () => foldRun(startedRun(runTerms(['tests'], 'Small')), EVENTS)
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

test('a state that was saved as JSON is read as it was', () => {
  const ended = {
    ...full(),
    startedAt: 1,
    end: { status: 'aborted_stuck', rule: 'steps', evidence: text(''), at: 2 } as const,
  }
  for (const state of [startedRun(runTerms([])), full(), ended]) {
    expect(readRunState(asJson(state))).toEqual({ state })
  }
})

test('a state in which one field is missing, or of another kind, is not used, and the field is named', () => {
  const state = full()
  for (const name of Object.keys(state)) {
    const { [name as keyof typeof state]: _, ...rest } = state
    for (const damaged of [rest, ...[Number.NaN, true, [null], { x: [] }].map(it => ({ ...state, [name]: it }))]) {
      expect(readRunState(damaged), name).toEqual({
        problem: expect.stringMatching(`^its ${name} is (missing|not valid)`),
      })
    }
  }
  expect(readRunState({ ...state, version: 1 })).toEqual({ problem: 'its version is not valid: 1' })
})

test('a problem of a state has none of its texts', () => {
  expect(readRunState({ ...full(), version: 'hunter2' })).toEqual({ problem: 'its version is not valid' })
})

test('an end that an earlier version kept is believed, without its evidence', () => {
  const end = { status: 'aborted_stuck', rule: 'same-call', evidence: 'Bash hunter2', at: 1 } as const
  expect(readRunEnd(JSON.stringify(end))).toEqual({ ...end, evidence: 'It ended under an earlier version of kotef' })
  const done = { ...end, status: 'done_success', rule: '' } as const
  expect(readRunEnd(JSON.stringify(done))?.evidence).toBe('It ended under an earlier version of kotef')
  const known = { ...end, evidence: text('Bash `make`') }
  expect(readRunEnd(JSON.stringify(savedEnd(known)))).toEqual(known)
})

test('whatever a store returns, the run starts, reports it, and is not done', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...Object.keys(full())), (value, name) => {
      for (const saved of [value, { ...full(), [name]: value }]) {
        const run = createRun({ checks: ['tests'], store: storeOf(saved) })
        run.tool({ tool: 'Read', args: {}, result: '' })
        const { status, problems } = run.decide()
        expect(status).not.toBe('done_success')
        const isUsed = saved === null || saved === undefined || 'state' in readRunState(saved)
        if (isUsed) expect(problems).toEqual([])
        else expect(problems).toEqual([expect.stringMatching('^The saved run ')])
        expect(run.report()).toContain('# Run')
      }
    }),
    { numRuns: 300 },
  )
})

function storeOf(saved: unknown): RunStore {
  return { load: () => saved as ReturnType<RunStore['load']>, save: () => {} }
}

test('a store that throws is reported, and the rules hold without it', () => {
  let isFull = true
  const run = createRun({
    store: {
      load: () => JSON.parse('{"version":1') as never,
      save: () => {
        if (isFull) throw new Error('ENOSPC: no space left on device')
      },
    },
  })
  const call = () => run.tool({ tool: 'Bash', args: { command: 'make' }, result: 'Error: no', exit: 1 })
  for (let n = 0; n < 3; n++) call()
  const [loading, saving] = run.decide().problems
  expect(loading).toMatch(/^The saved run can't be read: SyntaxError/)
  expect(saving).toBe(`The run can't be saved: Error: ENOSPC: no space left on device`)
  isFull = false
  call()
  expect(run.decide()).toMatchObject({ status: 'aborted_stuck', problems: [loading] })
})

test('a check that was added since the run was saved has not passed', () => {
  const saved = foldRun(startedRun(runTerms(['lint'])), [
    { kind: 'check', id: 'lint', command: 'lint', result: 'passed', output: '' },
  ])
  expect(createRun({ checks: ['lint'], store: storeOf(saved) }).decide().status).toBe('done_success')
  expect(createRun({ checks: ['lint', 'tests'], store: storeOf(saved) }).decide().status).toBe('running')
})

test('a clock that was set back makes no negative duration', () => {
  const times = [60_000, 0]
  const run = createRun({ clock: () => times.shift() ?? 0 })
  expect(run.report()).toContain('- Duration: 0.0 s')
})
