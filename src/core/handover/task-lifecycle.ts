import type { HandoverAgent } from './agents.ts'
import { TASKS_FILE } from './port.ts'
import { type HandoverProblem, problemsOf } from './handover-problem.ts'
import { type HandoverSession, sessionPath } from './handover-session.ts'
import type { HandoverTask, TaskStatus } from './tasks-file.ts'
import { completedTasks, type TaskFacts, openGates } from './task-gates.ts'
import { phaseOf } from './workflow.ts'

/** A legal change of a task's status, and the agents that may make it; null for every agent. */
type TaskStep = readonly [from: TaskStatus, to: TaskStatus, by: readonly HandoverAgent[] | null]

const TASK_STEPS: readonly TaskStep[] = [
  ['not-started', 'in-progress', ['Coder']],
  ['in-progress', 'implemented', ['Coder']],
  // A gate found something to mend.
  ['implemented', 'in-progress', ['Coder', 'Orchestrator']],
  ['implemented', 'completed', ['Orchestrator']],
  ['not-started', 'blocked', null],
  ['in-progress', 'blocked', null],
  ['implemented', 'blocked', null],
  ['blocked', 'not-started', ['Orchestrator', 'Planner']],
  ['blocked', 'in-progress', ['Coder', 'Orchestrator']],
]

/** True for one legal step from a status to another that an agent may make; null is any agent. */
export function isTaskStep(from: TaskStatus, to: TaskStatus, role: HandoverAgent | null): boolean {
  return TASK_STEPS.some(([before, after, by]) => before === from && after === to && isAllowed(by, role))
}

/** True when there is a way from one status to another by steps that an agent may make; null is any agent. */
export function mayTaskChange(from: TaskStatus, to: TaskStatus, role: HandoverAgent | null): boolean {
  return reachedFrom(from, role).has(to)
}

/** True when there is a way from one status to another, by whatever agents, whose last step an agent may make. */
export function mayTaskEndIn(from: TaskStatus, to: TaskStatus, role: HandoverAgent): boolean {
  const reached = reachedFrom(from, null)
  return (
    from === to || TASK_STEPS.some(([before, after, by]) => after === to && reached.has(before) && isAllowed(by, role))
  )
}

function reachedFrom(from: TaskStatus, role: HandoverAgent | null): ReadonlySet<TaskStatus> {
  const reached = new Set<TaskStatus>([from])
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    for (const [before, after, by] of TASK_STEPS) if (reached.has(before) && isAllowed(by, role)) reached.add(after)
  }
  return reached
}

function isAllowed(by: readonly HandoverAgent[] | null, role: HandoverAgent | null): boolean {
  return by === null || role === null || by.includes(role)
}

/** Problems of the changes that a session's tasks went through. */
export function checkTaskChanges(
  old: HandoverSession | null,
  session: HandoverSession,
  { role, gates }: { readonly role: HandoverAgent | null; readonly gates: TaskFacts },
): HandoverProblem[] {
  const { tasks, name } = session
  const at = problemsOf(sessionPath(name, TASKS_FILE))
  if (tasks === null) return []
  const illegal = tasks.tasks.filter(it => !mayTaskChange(taskStatusIn(old, it.id), it.status, role))
  const changed = illegal.map(it => {
    const expected = stepsWords(taskStatusIn(old, it.id), role)
    return at('handover-task', `tasks/${it.id}/status`, { expected, found: it.status })
  })
  return [...changed, ...gateProblems(old, session, gates), ...removedTasks(old?.tasks?.tasks ?? [], session)]
}

// What was completed before is judged no more: the source goes on.
function gateProblems(old: HandoverSession | null, session: HandoverSession, gates: TaskFacts): HandoverProblem[] {
  const at = problemsOf(sessionPath(session.name, TASKS_FILE))
  return completedTasks(old, session).flatMap(task => {
    const pointer = `tasks/${task.id}/status`
    if (gates.answers === null) return [{ ...at('handover-task', pointer, UNSEEN_GATES), level: 'review' as const }]
    const open = openGates(task, session, gates)
    const expected = 'completed after the OK of each gate, for the files as they are'
    return open.length === 0 ? [] : [at('handover-task', pointer, { expected, found: open.join('; ') })]
  })
}

const UNSEEN_GATES = {
  expected: 'completed after the OK of each gate',
  found: 'no answers to see: git ignores the folder messages',
}

/** The status of a task in a session; a task that is not there has not been started. */
export function taskStatusIn(session: Pick<HandoverSession, 'tasks'> | null, id: string): TaskStatus {
  return session?.tasks?.tasks.find(it => it.id === id)?.status ?? 'not-started'
}

function stepsWords(from: TaskStatus, role: HandoverAgent | null): string {
  const next = TASK_STEPS.filter(([before, , by]) => before === from && isAllowed(by, role)).map(([, after]) => after)
  const who = role === null ? '' : ` by a ${role}`
  return next.length === 0
    ? `${from} to stay${who === '' ? '' : `, as it is changed${who}`}`
    : `${from}${who}, or ${next.join(', ')}`
}

// Until the work begins, the plan may be made again.
function removedTasks(before: readonly HandoverTask[], { tasks, name, state }: HandoverSession): HandoverProblem[] {
  if (state !== null && phaseOf(state) < phaseOf('IMPLEMENT_LOOP')) return []
  const left = new Set(tasks?.tasks.map(it => it.id))
  const gone = before.filter(it => !left.has(it.id) && it.status !== 'not-started')
  const at = problemsOf(sessionPath(name, TASKS_FILE))
  return gone.map(it =>
    at('handover-task', `tasks/${it.id}`, { expected: `${it.id}, which was ${it.status}`, found: 'none' }),
  )
}
