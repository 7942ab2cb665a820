import { expect, test } from 'vitest'
import { decide } from '../../../src/core/runs/decide.ts'
import type { RunEvent } from '../../../src/core/runs/event.ts'
import { profileTerms } from '../../../src/core/runs/limits.ts'
import { runCounters } from '../../../src/core/runs/run-counters.ts'
import { runReport } from '../../../src/core/runs/run-report.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { foldRun, runTerms, text } from '../../rig/safe-events.ts'

const AT = Date.parse('2026-11-20T10:00:00Z')
const started = () => startedRun(runTerms(['tests']))

test('a report has the status, the rule, the reasons, the counters, the checks and the timeline', () => {
  const red: RunEvent = { kind: 'check', id: 'tests', command: 'npm test', result: 'failed', output: 'Error: no' }
  const run = foldRun(started(), [
    { kind: 'step', from: 'planner', to: 'coder', reason: 'write it' },
    { kind: 'edit', path: 'src/a.ts', before: 'a', after: 'b' },
    ...Array.from({ length: 6 }, () => red),
  ])
  const { status, rule, evidence } = decide(run, profileTerms('strict'))
  expect(status).toBe('aborted_stuck')
  run.end = { status: 'aborted_stuck', rule: rule ?? '', evidence: evidence ?? text(''), at: AT + 61_500 }
  const facts = { profile: 'strict', goal: 'add a login', startedAt: AT, endedAt: AT + 61_500 } as const
  expect(runReport(run, facts)).toBe(`# Run

**aborted_stuck**: the run did not get on within the attempts that the profile allows (profile strict, rule same-error).

- Goal: add a login
- Evidence: check tests: npm test failed 6 times with the same error, and nothing was changed
- Last test: check tests: npm test (failed, Error, signature 1b8c2a80c012e032)
- Last call: check tests: npm test (failed, Error, signature 1b8c2a80c012e032)
- Started: 2026-11-20T10:00:00.000Z
- Duration: 61.5 s

## Counters

- Steps: 1
- Last progress, at step: 1
- Same call in a row: 6
- Same error in a row: 6
- Edits in a row that changed nothing: 0
- Commands in a row that ran into their time limit: 0
- Calls in a row that failed for the network, the provider or the disk: 0
- planner -> coder, since the last progress: 0

## Checks

- tests \`npm test\`: failed

## Edges

- planner -> coder: 1 time
  - reason 007d389461267d46

## Timeline

- step 1: src/a.ts has new content
`)
})

test('the counters say how often each edge was taken since the step of the last progress, and why it was', () => {
  const step = (to: string, reason: string): RunEvent => ({ kind: 'step', from: 'planner', to, reason })
  const before = [step('coder', 'write it'), step('coder', 'write more'), step('verifier', 'try it')]
  expect(runCounters(foldRun(started(), before))).toMatchObject({
    ...{ totalSteps: 3, lastProgressAtStep: null },
    loopCounters: { planner_to_coder: 2, planner_to_verifier: 1 },
  })
  const edit: RunEvent = { kind: 'edit', path: 'src/a.ts', before: 'a', after: 'b' }
  const run = foldRun(started(), [...before, edit, step('coder', 'write on'), step('snitch', 'give up')])
  expect(runCounters(run)).toMatchObject({
    ...{ totalSteps: 5, lastProgressAtStep: 3 },
    loopCounters: { planner_to_coder: 1, planner_to_verifier: 0, planner_to_snitch: 1 },
  })
  expect(run.edges['planner -> coder']).toMatchObject({ taken: 3 })
  expect(new Set(run.edges['planner -> coder']?.reasons).size).toBe(3)
  const report = runReport(run, { profile: null, goal: null, startedAt: AT, endedAt: AT })
  for (const it of run.edges['planner -> coder']?.reasons ?? []) expect(report).toContain(`  - ${it}\n`)
})

test('what an agent wrote stays text of one line', () => {
  const facts = { profile: null, goal: 'a\n# b <script> `x`\u001b[2J', startedAt: AT, endedAt: AT }
  const [, , , , goal] = runReport(started(), facts).split('\n')
  expect(goal).toBe('- Goal: "a # b \\<script> \\`x\\`\\u001b[2J"')
})
