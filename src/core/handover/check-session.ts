import { ACCEPTANCE_FILE } from './acceptance-file.ts'
import { checkDecisions } from './check-decisions.ts'
import { type HandoverProblem, problemsOf } from './handover-problem.ts'
import {
  designVerdict,
  type HandoverSession,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from './handover-session.ts'
import { statusOf } from './session-edit.ts'
import { isStrategyChosen } from './guards.ts'
import { lackingSections, WANTED_SECTIONS } from './sections.ts'
import { SESSION_NAME, STATUS_FILE, type StatusFile } from './status-file.ts'
import { TASKS_FILE } from './port.ts'
import { type MainState, phaseOf } from './workflow.ts'
import { whyNotDone } from './why-not-done.ts'

/** Checks a session as it is: its files, and what its state asks for. All problems at once; never throws. */
export function checkHandover(files: SessionFiles): HandoverProblem[] {
  const { session, problems } = readHandoverSession(files)
  return [
    ...problems,
    ...nameProblems(session),
    ...missingFiles(session),
    ...checkDecisions(session),
    ...stateProblems(session),
  ]
}

function nameProblems({ name, status }: HandoverSession): HandoverProblem[] {
  const at = problemsOf(sessionPath(name, STATUS_FILE))
  if (!SESSION_NAME.test(name))
    return [at('handover-format', null, { expected: 'a folder named such as 2026-01-31_refunds', found: name })]
  if (status === null || status.session === name) return []
  return [at('handover-format', 'session', { expected: name, found: status.session })]
}

// Each artifact is there from the phase on that comes after the one in which it is written.
function missingFiles(session: HandoverSession): HandoverProblem[] {
  const { texts, name, state } = session
  if (!texts.has(STATUS_FILE)) return [missing(name, STATUS_FILE, 'a session has one')]
  if (state === null) return []
  return artifactsFor(session, state).flatMap(file => {
    const text = texts.get(file)
    if (text === undefined) return [missing(name, file, `a session in ${state} has one`)]
    if (!isSectioned(file)) return []
    return lackingSections(text, WANTED_SECTIONS[file]).map(it =>
      problemsOf(sessionPath(name, file))('handover-missing', it.name, {
        expected: `the section ${it.name}, with content`,
        found: 'none',
      }),
    )
  })
}

function missing(session: string, file: string, why: string): HandoverProblem {
  return problemsOf(sessionPath(session, file))('handover-missing', null, { expected: `a file: ${why}`, found: 'none' })
}

function isSectioned(file: string): file is keyof typeof WANTED_SECTIONS {
  return Object.hasOwn(WANTED_SECTIONS, file)
}

// The artifacts that a session has in a state.
function artifactsFor({ mode }: Pick<HandoverSession, 'mode'>, state: MainState): string[] {
  const phase = phaseOf(state)
  const isLean = mode === 'lean'
  return [
    ...(phase > phaseOf('INTAKE') ? ['spec.md', ACCEPTANCE_FILE] : []),
    ...(phase > phaseOf('DESIGN') && !isLean ? ['architecture.md'] : []),
    ...(phase > phaseOf('PLAN') ? [TASKS_FILE] : []),
    ...(state === 'DONE' ? ['report.md'] : []),
  ]
}

function stateProblems(session: HandoverSession): HandoverProblem[] {
  const { status, name } = session
  if (status === null) return []
  const file = sessionPath(name, STATUS_FILE)
  return [
    ...gateProblems(session, file),
    ...retryProblems(session, file),
    ...keyProblems(status, file),
    ...doneProblems(session),
  ]
}

function gateProblems(session: HandoverSession, file: string): HandoverProblem[] {
  const { state, mode, status } = session
  const at = problemsOf(file)
  if (status?.current_state === 'ASK_USER' && state === null)
    return [at('handover-decision', 'user_decisions', { expected: 'a question to the user', found: 'none' })]
  if (state === null || mode === 'lean') return []
  const isPast = (gate: MainState): boolean => phaseOf(state) > phaseOf(gate)
  const design = { expected: `an approved design in ${state}`, found: designVerdict(session) }
  const strategy = { expected: `a review strategy in ${state}: per-batch or single-final`, found: 'none' }
  return [
    ...(isPast('APPROVE_DESIGN') && design.found !== 'approved' && design.found !== 'void'
      ? [at('handover-transition', 'user_decisions/UD-APPROVE-DESIGN', design)]
      : []),
    ...(isPast('REVIEW_STRATEGY') && !isStrategyChosen(session)
      ? [at('handover-transition', 'user_decisions/UD-REVIEW-STRATEGY', strategy)]
      : []),
  ]
}

/** How often a task may go through each loop that mends it. */
export const RETRIES_MAX = 3

function retryProblems(session: HandoverSession, file: string): HandoverProblem[] {
  const { retry_counts } = statusOf(session)
  const at = problemsOf(file)
  const unknown = unknownTasks(session, Object.keys(retry_counts)).map(id =>
    at('handover-retries', `retry_counts/${id}`, { expected: 'the id of a task in tasks.yaml', found: id }),
  )
  const tooMany = Object.entries(retry_counts).flatMap(([task, counts]) =>
    Object.entries(counts)
      .filter(([, count]) => (count ?? 0) > RETRIES_MAX)
      .map(([loop, count]) =>
        at('handover-retries', `retry_counts/${task}/${loop}`, {
          expected: `at most ${RETRIES_MAX}; ask the user then`,
          found: String(count),
        }),
      ),
  )
  return [...unknown, ...tooMany]
}

// A session that is over can't be mended.
function unknownTasks({ tasks, texts, state }: HandoverSession, ids: readonly string[]): string[] {
  const isUnread = tasks === null && texts.has(TASKS_FILE)
  if (isUnread || state === 'DONE') return []
  const known = new Set(tasks?.tasks.map(it => it.id))
  return ids.filter(it => !known.has(it))
}

// The status of tasks is in one file, so that it can't differ from itself.
function keyProblems(status: StatusFile, file: string): HandoverProblem[] {
  const keys = Object.keys(status).filter(it => /^(?:tasks|task_status(?:es)?|(?:completed|open)_tasks)$/.test(it))
  const expected = 'the status of tasks in tasks.yaml only'
  return keys.map(key => problemsOf(file)('handover-format', key, { expected, found: `the key ${key}` }))
}

function doneProblems(session: HandoverSession): HandoverProblem[] {
  if (session.status?.current_state !== 'DONE') return []
  // A missing report is a missing file already.
  return whyNotDone(session)
    .filter(it => it.file !== 'report.md')
    .map(({ file, pointer, ...it }) => problemsOf(sessionPath(session.name, file))('handover-done', pointer, it))
}
