import { expect, test } from 'vitest'
import type { LineWriters, RoleWriter } from '../../../src/core/handover/port.ts'
import { taskBreaches } from '../../../src/core/handover/role-breach.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { legalChanges } from '../../rig/handover/legal-changes.ts'
import { SESSION, sessionIn } from '../../rig/handover/session-files.ts'

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

test('a breach says the task, and what its role did', () => {
  expect(taskBreaches({ before, after, role: null }, writersIn(tasksAfter, 'completed', [coder, null]))).toEqual([
    {
      path: `.agents-work/${SESSION}/tasks.yaml`,
      writer: coder,
      why: 'a Coder does not set T-001 to completed',
    },
  ])
})

test('a day of work, in which each role made its steps, is no breach', () => {
  const begun = sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'not-started') })
  const writers = writersIn(tasksAfter, 'status: completed', [lead, coder])
  expect(taskBreaches({ before: begun, after, role: null }, writers)).toEqual([])
  expect(taskBreaches({ before: null, after, role: null }, writers)).toEqual([])
})

test('only a task whose status changes is set by somebody', () => {
  expect(taskBreaches({ before: after, after, role: null }, writersIn(tasksAfter, '', [coder, null]))).toEqual([])
  expect(taskBreaches({ before, after: null, role: null }, [coder])).toEqual([])
})

test('each row of the corpus in which a role sets a status is judged alike where its lines are known', () => {
  const roleOf = ({ role }: CorpusRow): RoleWriter | null => (role ? { role, session: SESSION, by: null } : null)
  const found = (row: CorpusRow) => {
    const writers = writersIn(row.after.texts.get('tasks.yaml') ?? '', 'status: ', [roleOf(row), null])
    return taskBreaches({ before: row.before, after: row.after, role: null }, writers).length
  }
  const ofRoles = (rows: readonly CorpusRow[]) => rows.filter(it => it.role !== undefined)
  const kept = ofRoles(legalChanges)
  expect(kept.map(found)).toEqual(kept.map(() => 0))
  // The steps before the last one are not in the files.
  const broken = ofRoles(illegalChanges).filter(it => it.title !== 'an Orchestrator skips its Coder')
  expect(broken.map(it => [it.title, found(it)])).toEqual(broken.map(it => [it.title, 1]))
})
