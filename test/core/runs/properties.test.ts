import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRun } from '../../../src/shells/run-library/create-run.ts'
import { decide } from '../../../src/core/runs/decide.ts'
import type { RunEvent, ToolEvent } from '../../../src/core/runs/event.ts'
import { profileTerms } from '../../../src/core/runs/limits.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { foldRun, runTerms } from '../../rig/safe-events.ts'

const few = fc.constantFrom('a', 'b', 'c', '__proto__')
const toolEvent: fc.Arbitrary<ToolEvent> = fc.record(
  {
    ...{ kind: fc.constant('tool' as const), tool: few, args: few, result: few },
    ...{ exit: fc.constantFrom(0, 1, null), isTimeout: fc.boolean(), isPoll: fc.boolean(), tree: few },
  },
  { requiredKeys: ['kind', 'tool', 'args', 'result'] },
)
const event: fc.Arbitrary<RunEvent> = fc.oneof(
  toolEvent,
  fc.record({ kind: fc.constant('step' as const), from: few, to: few, reason: few }),
  fc.record({ kind: fc.constant('edit' as const), path: few, before: few, after: few }),
  fc.record({
    ...{ kind: fc.constant('check' as const), id: few, command: few, output: few, tree: few },
    result: fc.constantFrom('passed' as const, 'failed', 'timeout', 'error', 'skipped', 'stale'),
  }),
  fc.record({ kind: fc.constant('message' as const), from: fc.constantFrom('person' as const, 'agent'), text: few }),
  fc.record({ kind: fc.constant('violation' as const), rule: few, isHard: fc.constant(false), detail: few }),
)
const DEFAULTS = profileTerms(null)
const STATUSES = ['running', 'warn', 'done_success', 'done_partial', 'aborted_stuck', 'aborted_constraint']

test('a run ends once, and no later event changes how', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), few, (events, check) => {
      const run = createRun({ checks: [check], clock: () => 0 })
      let end: string | null = null
      for (const { kind, ...it } of events) {
        if (kind === 'step') run.step((it as never)['from'], (it as never)['to'])
        else if (kind === 'message') run.message((it as never)['text'], (it as never)['from'])
        else run[kind as 'tool'](it as never)
        const { counters: _, problems: _none, ...decision } = run.decide()
        const said = JSON.stringify(decision)
        expect(STATUSES).toContain(decision.status)
        if (end !== null) expect(said).toContain(end)
        else if (/^(done|aborted)/.test(decision.status)) end = said.slice(1, -1)
      }
      expect(({} as Record<string, unknown>)['count']).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

test('no run takes more steps than the limit', () => {
  const steps = fc.array(fc.record({ from: fc.string(), to: fc.string(), isEdit: fc.boolean() }), {
    minLength: 120,
    maxLength: 200,
  })
  fc.assert(
    fc.property(steps, all => {
      const run = createRun({ clock: () => 0 })
      all.forEach(({ from, to, isEdit }, n) => {
        if (isEdit) run.edit({ path: 'a', before: `${n}`, after: `${n + 1}` })
        run.step(from, to)
        run.decide()
      })
      expect(run.decide().status).toBe('aborted_stuck')
      expect(run.decide().counters.totalSteps).toBeLessThanOrEqual(100)
    }),
    { numRuns: 200 },
  )
})

test('the order of the results of parallel calls does not matter', () => {
  const batches = fc.array(fc.array(toolEvent, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(batches, fc.infiniteStream(fc.nat()), (all, order) => {
      const inBatches = all.map((calls, n) => calls.map(it => ({ ...it, batch: `${n}` })))
      const shuffled = inBatches.map(calls =>
        calls
          .map(it => ({ it, rank: order.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ it }) => it),
      )
      const judged = (events: RunEvent[]) => decide(foldRun(startedRun(runTerms(['a'])), events), DEFAULTS)
      expect(judged(shuffled.flat())).toEqual(judged(inBatches.flat()))
    }),
    { numRuns: 1_000 },
  )
})

test('the state of a run is JSON, and stays small', () => {
  const events: RunEvent[] = Array.from({ length: 10_000 }, (_, n) => ({
    ...{ kind: 'tool', tool: `t${n}`, args: { n }, result: `${'x'.repeat(300)}${n}`, exit: n % 3, tree: `tree-${n}` },
  }))
  const state = foldRun(startedRun(runTerms(['tests'], 'Small')), events)
  expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  expect(JSON.stringify(state).length).toBeLessThan(100_000)
})
