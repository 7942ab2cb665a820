import type { MainState } from '../../../src/core/handover/workflow.ts'
import { designBlobs, type SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { inLoop, withDecision, withStatus, withTasks, type CorpusRow, withStatusOf } from './corpus-rows.ts'
import {
  answered,
  correcting,
  corrections,
  historyLine,
  pending,
  type SessionEdits,
  sessionIn,
  task,
  requested,
} from './session-files.ts'

function fine(title: string, after: SessionFiles, before: SessionFiles | null = null): CorpusRow {
  return { title, before, after }
}

const FULL: readonly MainState[] = [
  ...(['INTAKE', 'DESIGN', 'APPROVE_DESIGN', 'PLAN', 'REVIEW_STRATEGY', 'IMPLEMENT_LOOP'] as const),
  ...(['INTEGRATE', 'RELEASE', 'DONE'] as const),
]
const LEAN: readonly MainState[] = ['INTAKE_LEAN', 'IMPLEMENT_LOOP', 'INTEGRATE', 'DONE']

function stepsOf(states: readonly MainState[], edits: SessionEdits): CorpusRow[] {
  return states.slice(1).map((to, n) => {
    const from = states[n]!
    return fine(`${from} to ${to}${edits.lean ? ', lean' : ''}`, sessionIn(to, edits), sessionIn(from, edits))
  })
}

const asking = (context: MainState): SessionFiles =>
  sessionIn(context, {
    status: it => {
      it['user_decisions'].push(pending(1, { state_context: context }))
      it['current_state'] = 'ASK_USER'
    },
  })

const OTHER_DESIGN = { 'architecture.md': '# A\n\n## Overview\n\nOther.\n\n## Modules\n\n- x\n' }
const based_on = designBlobs(sessionIn('APPROVE_DESIGN'))

/** Changes of sessions that break no rule. */
export const legalChanges: readonly CorpusRow[] = [
  ...stepsOf(FULL, {}),
  ...stepsOf(LEAN, { lean: true }),
  ...FULL.map(it => fine(`a new session in ${it}, which brings all that it needs`, sessionIn(it))),
  ...(['FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY'] as const).flatMap(it => [
    fine(`IMPLEMENT_LOOP to ${it}`, sessionIn(it), inLoop()),
    fine(
      `${it} to IMPLEMENT_LOOP`,
      withStatus(to => (to['retry_counts'] = { 'T-001': { [it]: 1 } })),
      sessionIn(it),
    ),
  ]),
  fine('INTEGRATE to FIX_BUILD', sessionIn('FIX_BUILD'), sessionIn('INTEGRATE')),
  fine('RELEASE to FIX_BUILD', sessionIn('FIX_BUILD'), sessionIn('RELEASE')),
  fine(
    'FIX_BUILD to INTEGRATE',
    sessionIn('INTEGRATE', { status: it => (it['retry_counts'] = { 'T-001': { FIX_BUILD: 1 } }) }),
    sessionIn('FIX_BUILD'),
  ),
  ...(['INTAKE', 'DESIGN', 'PLAN', 'IMPLEMENT_LOOP', 'RELEASE'] as const).map(it =>
    fine(`a question in ${it}`, asking(it), sessionIn(it)),
  ),
  fine('an answer, and on', withDecision(answered(1, 'EUR')), asking('IMPLEMENT_LOOP')),
  fine(
    'a question that is cancelled',
    withDecision(answered(1, '', { status: 'cancelled', answer: null, resolution_reason: 'no response provided' })),
    asking('IMPLEMENT_LOOP'),
  ),
  fine(
    'a question that is skipped',
    withDecision(answered(1, '', { status: 'skipped', answer: null, resolution_reason: 'the scope changed' })),
    asking('IMPLEMENT_LOOP'),
  ),
  fine(
    'BLOCKED, with what stopped it',
    withStatus(it =>
      Object.assign(it, { current_state: 'BLOCKED', blocked_from: 'IMPLEMENT_LOOP', blocker: 'subagent_failure' }),
    ),
    inLoop(),
  ),
  fine(
    'out of BLOCKED to where it was',
    inLoop(),
    withStatus(it => Object.assign(it, { current_state: 'BLOCKED', blocked_from: 'IMPLEMENT_LOOP', blocker: 'x' })),
  ),
  fine(
    'changes that are requested',
    requested({ kept: true, answer: 'changes-requested: smaller' }),
    sessionIn('APPROVE_DESIGN'),
  ),
  fine(
    'a design that is approved after changes',
    sessionIn('PLAN', { files: { 'approve-design-history.jsonl': historyLine('changes-requested: smaller') } }),
    requested({ kept: true, answer: 'changes-requested: smaller' }),
  ),
  fine(
    'back to DESIGN after changes were requested',
    correcting('DESIGN', corrections('dispatched')),
    sessionIn('APPROVE_DESIGN'),
  ),
  fine(
    'corrections that wait for an agent',
    correcting('APPROVE_DESIGN', corrections('queued')),
    sessionIn('APPROVE_DESIGN'),
  ),
  fine(
    'corrections that were made',
    correcting('APPROVE_DESIGN', corrections('completed'), OTHER_DESIGN),
    correcting('APPROVE_DESIGN', corrections('queued')),
  ),
  fine(
    'corrections that their agent answered',
    correcting('APPROVE_DESIGN', corrections('completed', { based_on, answered_at: '2026-02-01T00:00:00Z' })),
    correcting('DESIGN', corrections('dispatched', { based_on })),
  ),
  fine(
    'other corrections, after another request',
    correcting('DESIGN', corrections('dispatched', { at: '2026-02-01T00:00:00Z' }), {
      'approve-design-history.jsonl': ['smaller', 'smaller']
        .map(it => historyLine(`changes-requested: ${it}`))
        .join(''),
    }),
    correcting('APPROVE_DESIGN', corrections('completed')),
  ),
  { ...fine('a Coder begins', withStatusOf('in-progress'), withStatusOf('not-started')), role: 'Coder' },
  { ...fine('a Coder implements', withStatusOf('implemented'), withStatusOf('in-progress')), role: 'Coder' },
  {
    ...fine('an Orchestrator completes', withStatusOf('completed'), withStatusOf('implemented')),
    role: 'Orchestrator',
  },
  {
    ...fine('an Orchestrator sends a task back', withStatusOf('in-progress'), withStatusOf('implemented')),
    role: 'Orchestrator',
  },
  { ...fine('a Planner plans again', withStatusOf('not-started'), withStatusOf('blocked')), role: 'Planner' },
  { ...fine('anyone is blocked', withStatusOf('blocked'), withStatusOf('in-progress')), role: 'QA' },
  fine('a day of work, from a task that was not begun to one whose gates have passed', withStatusOf('completed')),
  fine('a day of work on a task that was there', withStatusOf('completed'), withStatusOf('not-started')),
  fine(
    'answers that are gone when the task was completed before',
    inLoop({ tasks: it => (it[0]!['status'] = 'completed'), files: { 'messages/T-001.QA.json': null } }),
    withStatusOf('completed'),
  ),
  fine(
    'a task is added',
    withTasks(it => it.push(task('T-002', 'not-started'))),
    inLoop(),
  ),
  fine(
    'keys that the contract does not know',
    withStatus(it => Object.assign(it, { pending_steering: [], note: 'x' })),
    inLoop(),
  ),
  fine(
    'a single review at the end',
    withStatus(it => (it['user_decisions'][1].answer = 'single-final')),
  ),
  fine('a lean session that starts again in full', sessionIn('INTAKE'), sessionIn('IMPLEMENT_LOOP', { lean: true })),
  fine(
    'a criterion that is waived for a reason',
    sessionIn('DONE', { status: it => (it['user_decisions'].at(-1).answer = 'waived: not this release') }),
  ),
]
