import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import type { MainState } from '../../../src/core/handover/workflow.ts'
import { broken, type IllegalRow, inLoop, withStatus, withTasks, withStatusOf } from './corpus-rows.ts'
import { answered, approval, pending, type SessionEdits, sessionIn, strategy } from './session-files.ts'

const leap = (from: MainState, to: MainState, edits: SessionEdits = {}): IllegalRow =>
  broken('handover-transition')(`${from} to ${to}`, sessionIn(to, edits), sessionIn(from, edits))
const noGates: SessionEdits = { status: it => (it['user_decisions'] = []) }

/** States that are not reached like that. */
export const illegalTransitions: readonly IllegalRow[] = [
  leap('DESIGN', 'PLAN', noGates),
  leap('INTAKE', 'IMPLEMENT_LOOP', noGates),
  leap('APPROVE_DESIGN', 'PLAN', noGates),
  leap('REVIEW_STRATEGY', 'IMPLEMENT_LOOP', {
    status: it => (it['user_decisions'] = it['user_decisions'].slice(0, 1)),
  }),
  leap('PLAN', 'DESIGN'),
  leap('IMPLEMENT_LOOP', 'PLAN', { status: it => (it['user_decisions'] = [approval(), strategy('per-batch')]) }),
  leap('RELEASE', 'IMPLEMENT_LOOP'),
  leap('INTEGRATE', 'INTAKE'),
  broken('handover-transition')(
    'INTEGRATE with an open task',
    sessionIn('INTEGRATE', { tasks: it => (it[0]!['status'] = 'implemented') }),
    inLoop(),
  ),
  broken('handover-transition')(
    'RELEASE with a red build',
    sessionIn('RELEASE', { status: it => (it['last_ci_result'] = 'red') }),
    sessionIn('INTEGRATE'),
  ),
  broken('handover-transition')(
    'a loop of repairs that nothing counts',
    sessionIn('FIX_REVIEW', { status: it => (it['retry_counts'] = {}) }),
    inLoop(),
  ),
  broken('handover-transition')(
    'FIX_BUILD from the tasks',
    sessionIn('FIX_BUILD', { tasks: it => (it[0]!['status'] = 'in-progress') }),
    inLoop(),
  ),
  broken('handover-transition')(
    'another state after ASK_USER',
    sessionIn('PLAN', {
      status: it => it['user_decisions'].push(answered(1, 'EUR', { state_context: 'DESIGN' })),
      files: {},
    }),
    sessionIn('RELEASE', {
      status: it => {
        it['user_decisions'].push(pending(1, { state_context: 'RELEASE' }))
        it['current_state'] = 'ASK_USER'
      },
    }),
  ),
  broken('handover-transition')(
    'a full session that turns lean',
    sessionIn('IMPLEMENT_LOOP', { lean: true }),
    sessionIn('DESIGN'),
  ),
  broken('handover-transition')(
    'a lean session that is released',
    sessionIn('RELEASE', { lean: true }),
    sessionIn('INTEGRATE', { lean: true }),
  ),
  broken('handover-transition')(
    'BLOCKED to another state',
    sessionIn('PLAN', { status: it => (it['user_decisions'] = [approval(), strategy('per-batch')]) }),
    withStatus(it => Object.assign(it, { current_state: 'BLOCKED', blocked_from: 'IMPLEMENT_LOOP' })),
  ),
]

const counts = (n: number): SessionFiles => withStatus(it => (it['retry_counts'] = { 'T-001': { FIX_TESTS: n } }))

/** Tasks and retries that may not change like that. */
export const illegalTaskChanges: readonly IllegalRow[] = [
  broken('handover-task')(
    'a completed task that is begun again',
    withStatusOf('in-progress'),
    withStatusOf('completed'),
  ),
  broken('handover-task')('a completed task that is blocked', withStatusOf('blocked'), withStatusOf('completed')),
  {
    ...broken('handover-task')(
      'a Coder takes back what it implemented',
      withStatusOf('not-started'),
      withStatusOf('implemented'),
    ),
    role: 'Coder',
  },
  broken('handover-task')(
    'a task that is removed',
    withTasks(it => (it[0]!['id'] = 'T-002')),
    withStatusOf('implemented'),
  ),
  {
    ...broken('handover-task')('a Coder sets completed', withStatusOf('completed'), withStatusOf('implemented')),
    role: 'Coder',
  },
  {
    ...broken('handover-task')('a Reviewer sets completed', withStatusOf('completed'), withStatusOf('implemented')),
    role: 'Reviewer',
  },
  {
    ...broken('handover-task')('a Planner begins', withStatusOf('in-progress'), withStatusOf('not-started')),
    role: 'Planner',
  },
  {
    ...broken('handover-task')('an Integrator completes', withStatusOf('completed'), withStatusOf('implemented')),
    role: 'Integrator',
  },
  {
    ...broken('handover-task')('an Orchestrator implements', withStatusOf('implemented'), withStatusOf('in-progress')),
    role: 'Orchestrator',
  },
  {
    ...broken('handover-task')(
      'an Orchestrator skips its Coder',
      withStatusOf('completed'),
      withStatusOf('not-started'),
    ),
    role: 'Orchestrator',
  },
  broken('handover-retries')('a fourth retry', counts(4)),
  broken('handover-retries')(
    'a retry of no task',
    withStatus(it => (it['retry_counts'] = { meta: { FIX_BUILD: 1 } })),
  ),
  broken('handover-retries')(
    'a retry of a task that is not there',
    withStatus(it => (it['retry_counts'] = { 'T-999': { FIX_REVIEW: 1 } })),
  ),
  broken('handover-retries')('a count that goes down', counts(1), counts(2)),
  broken('handover-retries')('a count that is removed', inLoop(), counts(2)),
]

/** Sessions that are not done, and ones that were. */
export const illegalEnds: readonly IllegalRow[] = [
  broken('handover-done')(
    'DONE with an open task',
    sessionIn('DONE', { tasks: it => (it[0]!['status'] = 'implemented') }),
  ),
  broken('handover-done')(
    'DONE with a blocked task',
    sessionIn('DONE', { tasks: it => (it[0]!['status'] = 'blocked') }),
  ),
  broken('handover-done')(
    'DONE with commands that were not run',
    sessionIn('DONE', { status: it => delete it['acceptance_results'] }),
  ),
  broken('handover-done')(
    'DONE with commands that failed',
    sessionIn('DONE', { status: it => (it['acceptance_results']['AC-001'].status = 'failed') }),
  ),
  broken('handover-done')(
    'DONE with a criterion that nobody looked at',
    sessionIn('DONE', { status: it => it['user_decisions'].pop() }),
  ),
  broken('handover-done')(
    'DONE with a waiver without a reason',
    sessionIn('DONE', { status: it => (it['user_decisions'].at(-1).answer = 'waived:') }),
  ),
  broken('handover-done')(
    'DONE with a question that waits',
    sessionIn('DONE', { status: it => it['user_decisions'].push(pending(2)) }),
  ),
  broken('handover-read-only')(
    'a session that was done',
    sessionIn('DONE', { files: { 'research/notes.md': 'later\n' } }),
    sessionIn('DONE'),
  ),
  broken('handover-read-only')('a session that was done is opened again', sessionIn('RELEASE'), sessionIn('DONE')),
  broken('handover-read-only')(
    'a file of a session that was done is removed',
    sessionIn('DONE', { files: { 'architecture.md': null } }),
    sessionIn('DONE'),
  ),
]
