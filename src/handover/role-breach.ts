import type { HandoverRole } from './agents.ts'
import type { HandoverChange } from './check-change.ts'
import { readHandoverSession, sessionPath } from './handover-session.ts'
import { checkTaskChanges } from './task-lifecycle.ts'
import { TASKS_FILE } from './tasks-file.ts'

/** An agent's session with its role in a handover; `by` is the id of the session, null where it is unknown. */
export type RoleWriter = HandoverRole & { readonly by: string | null }

/** A path that an agent wrote, and why its role may not. */
export type RoleBreach = { readonly path: string; readonly writer: RoleWriter; readonly why: string }

/** The writer of each line of a text; null for a line without a role. */
export type LineWriters = readonly (RoleWriter | null)[]

/** The statuses of tasks that a change sets, and that the role of their line's writer may not set. */
export function taskBreaches(change: HandoverChange, writers: LineWriters): RoleBreach[] {
  const { before, after } = change
  if (after === null) return []
  const old = before && readHandoverSession(before).session
  const { session } = readHandoverSession(after)
  const lines = (after.texts.get(TASKS_FILE) ?? '').split('\n')
  const ofAnyRole = new Set(checkTaskChanges(old, session, null).map(it => it.pointer))
  return distinctWriters(writers).flatMap(writer => {
    const own = lines.filter((_, n) => isSame(writers[n] ?? null, writer))
    const problems = checkTaskChanges(old, session, writer.role).filter(it => !ofAnyRole.has(it.pointer))
    const set = problems.filter(it => own.some(line => line.includes(it.found)))
    return set.map(({ pointer, expected, found }) => {
      const why = `${pointer}: expected ${expected}, found ${found}`
      return { path: sessionPath(session.name, TASKS_FILE), writer, why }
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
