import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { broken, type IllegalRow, statusText, withDecision, withStatus, withTasks, withText } from './corpus-rows.ts'
import { answered, historyLine, json, task } from './session-files.ts'

/** Files that do not have the form of the contract. */
const withoutKey = (key: string): SessionFiles => withStatus(it => delete it[key])
const criteria = (...list: object[]): SessionFiles => withText('acceptance.json', json({ acceptance_criteria: list }))
const AC = { id: 'AC-001', description: 'Refunds work', verify: 'cmd: true' }

export const illegalForms: readonly IllegalRow[] = [
  broken('handover-format')('status.json is not JSON', withText('status.json', '{ "current_state": ')),
  broken('handover-format')('status.json is YAML', withText('status.json', 'current_state: PLAN\n')),
  broken('handover-format')(
    'status.json has a key twice',
    withText('status.json', statusText(() => {}).replace('{', '{ "known_issues": [],')),
  ),
  broken('handover-format')('status.json is a list', withText('status.json', '[]\n')),
  ...[
    'current_state',
    'session',
    'assumptions',
    'user_decisions',
    'retry_counts',
    'known_issues',
    'last_ci_result',
    'last_update',
  ].map(key => broken('handover-format')(`status.json lacks ${key}`, withoutKey(key))),
  broken('handover-format')(
    'a state that is none',
    withStatus(it => (it['current_state'] = 'CODING')),
  ),
  broken('handover-format')(
    'a state in small letters',
    withStatus(it => (it['current_state'] = 'plan')),
  ),
  broken('handover-format')(
    'the name of another session',
    withStatus(it => (it['session'] = '2026-01-30_other')),
  ),
  broken('handover-format')(
    'a session without a day',
    withStatus(it => (it['session'] = 'refunds')),
  ),
  broken('handover-format')(
    'assumptions as a text',
    withStatus(it => (it['assumptions'] = 'one currency')),
  ),
  broken('handover-format')(
    'a build in another colour',
    withStatus(it => (it['last_ci_result'] = 'yellow')),
  ),
  broken('handover-format')(
    'an update without a time',
    withStatus(it => (it['last_update'] = 'today')),
  ),
  broken('handover-format')(
    'the status of tasks twice',
    withStatus(it => (it['completed_tasks'] = ['T-001'])),
  ),
  broken('handover-format')(
    'a correction of another status',
    withStatus(it => (it['gate_tracking'] = { APPROVE_DESIGN: { correction_status: 'done' } })),
  ),
  broken('handover-format')(
    'a correction by an unknown agent',
    withStatus(
      it =>
        (it['gate_tracking'] = {
          APPROVE_DESIGN: { last_correction_dispatch: { agent: 'architect', task_id: null, at: null } },
        }),
    ),
  ),
  broken('handover-format')(
    'flags that are no map',
    withStatus(it => (it['runtime_flags'] = ['x'])),
  ),
  broken('handover-format')(
    'a retry of an unknown loop',
    withStatus(it => (it['retry_counts'] = { 'T-001': { FIX_DOCS: 1 } })),
  ),
  broken('handover-format')(
    'a retry below 0',
    withStatus(it => (it['retry_counts'] = { 'T-001': { FIX_REVIEW: -1 } })),
  ),
  broken('handover-format')('a decision of an unknown status', withDecision(answered(1, 'EUR', { status: 'done' }))),
  broken('handover-format')('a decision with an id of its own', withDecision(answered('CURRENCY', 'EUR'))),
  broken('handover-format')('a decision without a question', withDecision(answered(1, 'EUR', { question: '' }))),
  broken('handover-format')(
    'a decision without the time of its question',
    withDecision(answered(1, 'EUR', { asked_at: null })),
  ),
  broken('handover-format')('tasks.yaml is not YAML', withText('tasks.yaml', 'tasks: [a\nb: c: d\n')),
  broken('handover-format')('no task', withText('tasks.yaml', 'tasks: []\n')),
  broken('handover-format')(
    'a task without an id',
    withTasks(it => delete it[0]!['id']),
  ),
  broken('handover-format')(
    'a task without a status',
    withTasks(it => delete it[0]!['status']),
  ),
  broken('handover-format')(
    'a task without a goal',
    withTasks(it => delete it[0]!['goal']),
  ),
  broken('handover-format')(
    'a task without checks',
    withTasks(it => (it[0]!['acceptance_checks'] = [])),
  ),
  broken('handover-format')(
    'a check that is neither command nor manual',
    withTasks(it => (it[0]!['acceptance_checks'] = ['npm test'])),
  ),
  broken('handover-format')(
    'a task of an unknown status',
    withTasks(it => (it[0]!['status'] = 'done')),
  ),
  broken('handover-format')(
    'a task twice',
    withTasks(it => it.push(task('T-001', 'in-progress'))),
  ),
  broken('handover-format')(
    'a task that waits for an unknown one',
    withTasks(it => (it[0]!['depends_on'] = ['T-009'])),
  ),
  broken('handover-format')(
    'tasks that wait for each other',
    withTasks(it => {
      it[0]!['depends_on'] = ['T-002']
      it.push({ ...task('T-002', 'not-started'), depends_on: ['T-001'] })
    }),
  ),
  broken('handover-format')(
    'a risk of an unknown kind',
    withTasks(it => (it[0]!['risk_flags'] = ['scary'])),
  ),
  broken('handover-format')('acceptance.json is not JSON', withText('acceptance.json', 'AC-001: yes\n')),
  broken('handover-format')('no criterion', criteria()),
  broken('handover-format')('a criterion without an id', criteria({ ...AC, id: '' })),
  broken('handover-format')('a criterion without a description', criteria({ ...AC, description: undefined })),
  broken('handover-format')('a criterion that nothing verifies', criteria({ ...AC, verify: [] })),
  broken('handover-format')('a criterion twice', criteria(AC, AC)),
  broken('handover-format')(
    'a line of the history that is not JSON',
    withText('approve-design-history.jsonl', 'later\n'),
  ),
  broken('handover-format')(
    'a line of the history of another decision',
    withText('approve-design-history.jsonl', historyLine('changes-requested: x').replace('UD-APPROVE-DESIGN', 'UD-1')),
  ),
  broken('handover-format')(
    'a line of the history that requests nothing',
    withText('approve-design-history.jsonl', historyLine('approved')),
  ),
  broken('handover-format')(
    'a line of the history that is torn',
    withText('approve-design-history.jsonl', historyLine('changes-requested: x').trimEnd()),
  ),
]
