import { type LineWriters, type RoleBreach, type RoleWriter, TASKS_FILE } from './port.ts'
import type { HandoverChange } from './check-change.ts'
import { readHandoverSession, sessionPath } from './handover-session.ts'
import { mayTaskEndIn, taskStatusIn } from './task-lifecycle.ts'
import type { HandoverTask } from './tasks-file.ts'

/** The statuses of tasks that a change sets, and that the role of their line's writer may not set. */
export function taskBreaches({ before, after }: Omit<HandoverChange, 'gates'>, writers: LineWriters): RoleBreach[] {
  if (after === null) return []
  const old = before && readHandoverSession(before).session
  const tasks = readHandoverSession(after).session.tasks?.tasks ?? []
  const lines = (after.texts.get(TASKS_FILE) ?? '').split('\n')
  return distinctWriters(writers).flatMap(writer => {
    const own = lines.filter((_, n) => isSame(writers[n] ?? null, writer))
    const isSetByRole = ({ id, status }: HandoverTask): boolean =>
      own.some(line => line.includes(status)) && !mayTaskEndIn(taskStatusIn(old, id), status, writer.role)
    return tasks.filter(isSetByRole).map(({ id, status }) => {
      const why = `a ${writer.role} does not set ${id} to ${status}`
      return { path: sessionPath(after.name, TASKS_FILE), writer, why }
    })
  })
}

function distinctWriters(writers: LineWriters): RoleWriter[] {
  const all = writers.filter(it => it !== null)
  return all.filter((it, n) => all.findIndex(other => isSame(it, other)) === n)
}

function isSame(one: RoleWriter | null, other: RoleWriter): boolean {
  return one !== null && one.role === other.role && one.session === other.session && one.by === other.by
}
