import { designVerdict, type HandoverSession } from './handover-session.ts'
import type { HandoverProblem } from './handover-problem.ts'
import { personsCommand } from './person-gates.ts'
import { awaitedAnswers, statesAhead } from './states-ahead.ts'
import { staleArtifacts } from './submission.ts'
import { type TaskFacts, openGates } from './task-gates.ts'
import { type DoneLack, whyNotDone } from './why-not-done.ts'
import { phaseOf } from './workflow.ts'
import { plural, printable } from '../base/printable.ts'
import { handoverProblemLine } from './problem-lines.ts'

/** What the view of a session is made of. */
export type HandoverView = {
  readonly session: HandoverSession
  readonly gates: TaskFacts
  readonly problems: readonly HandoverProblem[]
}

/** The state of a session as values: tasks with their open gates, questions, retries, and what is missing. */
export function handoverStatus({ session, gates, problems }: HandoverView) {
  const { name, mode, status } = session
  const tasks = (session.tasks?.tasks ?? []).map(it => ({
    id: it.id,
    status: it.status,
    goal: it.goal,
    gates: it.status === 'implemented' ? openGates(it, session, gates) : [],
  }))
  return {
    session: name,
    state: status?.current_state ?? null,
    mode,
    blocker: status?.blocker ?? null,
    tasks,
    pending: (status?.user_decisions ?? []).filter(it => it.status === 'pending'),
    retries: status?.retry_counts ?? {},
    design: designVerdict(session),
    next: statesAhead(session),
    correction: status?.gate_tracking?.APPROVE_DESIGN?.correction_status ?? 'none',
    stale: staleArtifacts(session),
    missing: whyNotDone(session),
    problems,
  }
}

/** The state of a session as lines. */
export function handoverStatusLines(view: HandoverView): string[] {
  const it = handoverStatus(view)
  const retries = Object.entries(it.retries).map(
    ([task, counts]) => `retries   ${printable(task)}: ${JSON.stringify(counts).replace(/[{}"]/g, '')}`,
  )
  return [
    `session   ${printable(it.session)} (${it.mode})`,
    `state     ${it.state ?? 'unknown'}${it.blocker ? `: ${printable(it.blocker)}` : ''}`,
    `next      ${nextText(view.session)}`,
    ...(it.correction === 'none' ? [] : [`design    corrections are ${it.correction}`]),
    ...(it.design === 'void' ? ['design    was approved, and changed since'] : []),
    ...it.tasks.map(taskLine),
    ...it.pending.map(({ decision_id, question }) => `question  ${decision_id}: ${printable(question)}`),
    ...(it.pending.length === 0 ? [] : [`answer    ${personsCommand(it.session)} asks for it at a terminal`]),
    ...retries,
    ...it.stale.map(({ artifact, changed }) => `stale     ${artifact}: ${changed.join(', ')} changed since`),
    ...it.problems.map(problem => `illegal   ${handoverProblemLine(problem)}`),
    ...doneLines(view.session, it.missing),
  ]
}

function nextText(session: HandoverSession): string {
  const states = statesAhead(session).join(', ') || 'none'
  const awaited = awaitedAnswers(session)
  return awaited.length === 0 ? states : `the answer to ${awaited.join(', ')}, then ${states}`
}

// Until the last states, most of it is still to come.
function doneLines({ state }: HandoverSession, missing: readonly DoneLack[]): string[] {
  if (missing.length === 0) return ['done      nothing is missing']
  const isNear = state !== null && phaseOf(state) >= phaseOf('INTEGRATE')
  if (!isNear) return [`done      ${plural(missing.length, 'thing')} to come`]
  return missing.map(it => `missing   ${it.file}: expected ${it.expected}, found ${printable(it.found)}`)
}

function taskLine({ id, status, goal, gates }: { id: string; status: string; goal: string; gates: string[] }): string {
  const open = gates.length === 0 ? '' : `; open gates: ${gates.join(', ')}`
  return `task      ${id} ${status}: ${printable(goal)}${open}`
}
