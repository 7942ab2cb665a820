import { isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import type { HandoverAgent } from './agents.ts'
import { TASKS_FILE } from './port.ts'
import type { HandoverSession } from './handover-session.ts'
import { refusedEdit, type SessionEdit, unmetGate } from './session-edit.ts'
import { type TaskFacts, openGates } from './task-gates.ts'
import { isTaskStep } from './task-lifecycle.ts'
import type { HandoverTask, TaskStatus } from './tasks-file.ts'

/** A change of a task's status, by the agent of a role or by anyone, and by what its gates are judged. */
export type TaskChange = {
  readonly id: string
  readonly to: TaskStatus
  readonly role: HandoverAgent | null
  readonly facts: TaskFacts
}

/** Sets the status of a task. Everything else in the file stays as it is written. */
export function setTaskStatus(session: HandoverSession, { id, to, role, facts }: TaskChange): SessionEdit {
  const task = session.tasks?.tasks.find(it => it.id === id)
  if (!task) throw refusedEdit(`${session.name} has no task ${id}.`, 'Run `kotef handover status` to see the tasks.')
  if (task.status === to) return { files: {} }
  const who = role === null ? '' : ` by a ${role}`
  if (!isTaskStep(task.status, to, role)) throw refusedEdit(`${id} is ${task.status}, and is not set to ${to}${who}.`)
  const open = to === 'completed' ? openGates(task, session, facts) : []
  if (open.length > 0) throw unmetGate(`${id} is not completed before its gates have passed: ${open.join('; ')}`)
  return { files: { [TASKS_FILE]: withStatusOf(session.texts.get(TASKS_FILE) ?? '', task, to) } }
}

function withStatusOf(text: string, { id }: HandoverTask, to: TaskStatus): string {
  const doc = parseDocument(text)
  const tasks = doc.get('tasks', true)
  const items = isSeq(tasks) ? tasks.items : []
  const node = items.find((it): it is YAMLMap => isMap(it) && it.get('id') === id)
  node?.set('status', to)
  return doc.toString({ lineWidth: 0 })
}
