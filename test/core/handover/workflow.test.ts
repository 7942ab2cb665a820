import { describe, expect, test } from 'vitest'
import { HANDOVER_AGENTS, type HandoverAgent } from '../../../src/core/handover/agents.ts'
import { checkDecisions } from '../../../src/core/handover/check-decisions.ts'
import { GUARD_WORDS, guardsOf } from '../../../src/core/handover/guards.ts'
import { readHandoverSession, type SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { isTaskStep, mayTaskChange } from '../../../src/core/handover/task-lifecycle.ts'
import { TASK_STATUSES } from '../../../src/core/handover/tasks-file.ts'
import { whyNotDone } from '../../../src/core/handover/why-not-done.ts'
import {
  findWay,
  type Guard,
  type MainState,
  phaseOf,
  TRANSITIONS,
  WORKFLOW_STATES,
} from '../../../src/core/handover/workflow.ts'
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

const BLOCKS = ['not-started blocked', 'in-progress blocked', 'implemented blocked']
const CODES = ['not-started in-progress', 'in-progress implemented', 'implemented in-progress', 'blocked in-progress']

test.each<[HandoverAgent, steps: string[]]>([
  ...HANDOVER_AGENTS.filter(it => !['Coder', 'Orchestrator', 'Planner'].includes(it)).map(
    it => [it, BLOCKS] as [HandoverAgent, string[]],
  ),
  ['Coder', [...BLOCKS, ...CODES]],
  ['Planner', [...BLOCKS, 'blocked not-started']],
  [
    'Orchestrator',
    [...BLOCKS, ...['implemented in-progress', 'implemented completed', 'blocked not-started', 'blocked in-progress']],
  ],
])('a task goes from one status to another by a step of a %s: %j', (role, steps) => {
  const pairs = TASK_STATUSES.flatMap(from => TASK_STATUSES.map(to => [from, to] as const))
  const may = pairs.filter(([from, to]) => isTaskStep(from, to, role)).map(it => it.join(' '))
  expect(may.sort()).toEqual([...steps].sort())
})

test('nobody leads a task out of completed, and no way of a Coder leads there', () => {
  for (const role of [null, ...HANDOVER_AGENTS])
    expect(TASK_STATUSES.filter(to => to !== 'completed' && mayTaskChange('completed', to, role))).toEqual([])
  const others = HANDOVER_AGENTS.filter(it => it !== 'Orchestrator')
  for (const role of others)
    expect(TASK_STATUSES.filter(from => mayTaskChange(from, 'completed', role))).toEqual(['completed'])
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
