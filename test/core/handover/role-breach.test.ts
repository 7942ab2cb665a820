import { expect, test } from 'vitest'
import { type LineWriters, type RoleWriter, taskBreaches } from '../../../src/handover/role-breach.ts'
import { SESSION, sessionIn, task } from '../../rig/handover/session-files.ts'

const coder: RoleWriter = { role: 'Coder', session: SESSION, by: 's-1' }
const lead: RoleWriter = { role: 'Orchestrator', session: SESSION, by: 's-2' }
const before = sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'implemented') })
const after = sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'completed') })

/** The writers of the lines of a text: one for those that contain a word, one for the others. */
function writersIn(text: string, word: string, [own, others]: [RoleWriter | null, RoleWriter | null]): LineWriters {
  return text.split('\n').map(it => (it.includes(word) ? own : others))
}

const tasksAfter = after.texts.get('tasks.yaml') ?? ''

test.each<[title: string, writers: LineWriters, breaches: number]>([
  ['by a Coder', writersIn(tasksAfter, 'status: completed', [coder, null]), 1],
  ['by the Orchestrator', writersIn(tasksAfter, 'status: completed', [lead, null]), 0],
  ['by the Orchestrator, beside lines of a Coder', writersIn(tasksAfter, 'status: completed', [lead, coder]), 0],
  ['by a person, beside lines of a Coder', writersIn(tasksAfter, 'status: completed', [null, coder]), 0],
  ['by nobody that is known', [], 0],
])('a task that is completed %s: %s', (_, writers, breaches) => {
  expect(taskBreaches({ before, after, role: null }, writers)).toHaveLength(breaches)
})

test('a breach says the task, what its role may do, and what it did', () => {
  expect(taskBreaches({ before, after, role: null }, writersIn(tasksAfter, 'completed', [coder, null]))).toEqual([
    {
      path: `.agents-work/${SESSION}/tasks.yaml`,
      writer: coder,
      why: 'tasks/T-001/status: expected implemented by a Coder, or in-progress, blocked, found completed',
    },
  ])
})

test('what no role may do is a problem of the contract, and of no role', () => {
  const leap = sessionIn('IMPLEMENT_LOOP', { tasks: it => it.push(task('T-002', 'completed')) })
  const gone = { before: leap, after: before, role: null }
  expect(taskBreaches(gone, writersIn(before.texts.get('tasks.yaml') ?? '', '', [coder, null]))).toEqual([])
  expect(taskBreaches({ before, after: null, role: null }, [coder])).toEqual([])
})
