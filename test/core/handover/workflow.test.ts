import { describe, expect, test } from 'vitest'
import { checkDecisions } from '../../../src/handover/check-decisions.ts'
import { GUARD_WORDS, guardsOf } from '../../../src/handover/guards.ts'
import { readHandoverSession, type SessionFiles } from '../../../src/handover/handover-session.ts'
import { mayTaskChange } from '../../../src/handover/task-lifecycle.ts'
import { TASK_STATUSES } from '../../../src/handover/tasks-file.ts'
import { whyNotDone } from '../../../src/handover/why-not-done.ts'
import {
  findWay,
  type Guard,
  type MainState,
  phaseOf,
  TRANSITIONS,
  WORKFLOW_STATES,
} from '../../../src/handover/workflow.ts'
import { answered, pending, sessionIn } from '../../rig/handover/session-files.ts'

const STATES = WORKFLOW_STATES.filter((it): it is MainState => it !== 'ASK_USER' && it !== 'BLOCKED')
const MODES = ['full', 'lean'] as const
const read = (files: SessionFiles) => readHandoverSession(files).session

describe('the workflow', () => {
  test('has a way between two states exactly when its transitions lead there', () => {
    for (const mode of MODES)
      for (const from of STATES) {
        const reached = new Set([from])
        for (let n = 0; n < STATES.length; n++)
          for (const it of TRANSITIONS)
            if (reached.has(it.from) && (it.mode === 'both' || it.mode === mode)) reached.add(it.to)
        for (const to of STATES)
          expect(findWay({ from, to, modes: [mode] }, () => true).isLegal, `${from} ${to}`).toBe(reached.has(to))
      }
  })

  test('has no way past a guard that does not hold', () => {
    const but = (guard: Guard) => (it: Guard) => it !== guard
    for (const { from, to, guard, mode } of TRANSITIONS) {
      if (guard === 'none' || from === 'APPROVE_DESIGN' || from === 'RELEASE') continue
      const { isLegal, unmet } = findWay({ from, to, modes: [mode === 'both' ? 'full' : mode] }, but(guard))
      expect({ isLegal, unmet }, `${from} ${to}`).toEqual({ isLegal: false, unmet: expect.arrayContaining([guard]) })
    }
  })

  test('never leaves DONE, and knows the phase of each state', () => {
    expect(TRANSITIONS.filter(it => it.from === 'DONE')).toEqual([])
    for (const it of STATES) expect(phaseOf(it)).toBeGreaterThanOrEqual(0)
  })
})

describe('a guard', () => {
  const held = (state: MainState): Guard[] =>
    (Object.keys(GUARD_WORDS) as Guard[]).filter(guardsOf(read(sessionIn(state))))

  test.each<[MainState, Guard, boolean]>([
    ['INTAKE', 'intake-complete', true],
    ['INTAKE', 'lean-intake-complete', false],
    ['DESIGN', 'design-complete', false],
    ['APPROVE_DESIGN', 'design-complete', true],
    ['APPROVE_DESIGN', 'design-approved', false],
    ['PLAN', 'design-approved', true],
    ['PLAN', 'plan-complete', false],
    ['REVIEW_STRATEGY', 'strategy-chosen', false],
    ['IMPLEMENT_LOOP', 'strategy-chosen', true],
    ['IMPLEMENT_LOOP', 'tasks-completed', false],
    ['INTEGRATE', 'tasks-completed', true],
    ['RELEASE', 'done', false],
    ['DONE', 'done', true],
    ['FIX_TESTS', 'retry-counted FIX_TESTS', true],
    ['FIX_TESTS', 'retry-counted FIX_REVIEW', false],
  ])('in %s: %s is %s', (state, guard, holds) => {
    expect(held(state).includes(guard)).toBe(holds)
  })
})

test('a task goes from one status to another by the steps of an agent', () => {
  const by = (role: Parameters<typeof mayTaskChange>[2]) =>
    TASK_STATUSES.flatMap(from =>
      TASK_STATUSES.filter(to => from !== to && mayTaskChange(from, to, role)).map(to => `${from} ${to}`),
    )
  expect(by('Coder').filter(it => it.endsWith(' completed'))).toEqual([])
  expect(by('QA')).toEqual(['not-started blocked', 'in-progress blocked', 'implemented blocked'])
  expect(by('Orchestrator')).toEqual(expect.arrayContaining(['implemented completed', 'blocked in-progress']))
  expect(by(null).filter(it => it.startsWith('completed '))).toEqual([])
})

test('what a session lacks to be done is all there at once', () => {
  const files = sessionIn('DONE', {
    tasks: it => (it[0]!['status'] = 'implemented'),
    status: it => {
      it['user_decisions'] = [pending(1)]
      delete it['acceptance_results']
    },
    files: { 'report.md': null },
  })
  expect(whyNotDone(read(files)).map(it => `${it.file} ${it.pointer}: ${it.found}`)).toEqual([
    'tasks.yaml tasks/T-001/status: implemented',
    'status.json user_decisions/UD-1: pending',
    'acceptance.json acceptance_criteria/AC-001: not run',
    'acceptance.json acceptance_criteria/AC-001: nobody',
    'report.md null: none',
  ])
})

test('a decision that breaks several rules has a problem for each', () => {
  const bad = answered(1, '', { resolved_at: null, state_context: 'ASK_USER' })
  const session = read(sessionIn('INTAKE', { status: it => it['user_decisions'].push(bad) }))
  expect(checkDecisions(session).map(it => it.pointer)).toEqual([
    'user_decisions/UD-1/resolved_at',
    'user_decisions/UD-1/answer',
    'user_decisions/UD-1/state_context',
  ])
})
