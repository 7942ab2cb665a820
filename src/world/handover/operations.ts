import { join } from 'node:path'
import { headOid } from '../../core/git/revisions.ts'
import { type Advance, advanceSession, requireTransition } from '../../core/handover/advance.ts'
import type { HandoverAgent } from '../../core/handover/agents.ts'
import type { ProjectType } from '../../core/handover/checklists.ts'
import {
  answerUser,
  askGate,
  askUser,
  type EndWithoutAnswer,
  endQuestion,
  type GateName,
  type Question,
} from '../../core/handover/edit-decisions.ts'
import { setTaskStatus } from '../../core/handover/edit-tasks.ts'
import type { HandoverProblem } from '../../core/handover/handover-problem.ts'
import { type HandoverSession, sessionPath } from '../../core/handover/handover-session.ts'
import { newSessionName, newStatus } from '../../core/handover/new-session.ts'
import { checkOutput } from '../../core/handover/output-message.ts'
import { refusedEdit, statusFileText, unmetGate } from '../../core/handover/session-edit.ts'
import { STATUS_FILE } from '../../core/handover/status-file.ts'
import { submitAnswer } from '../../core/handover/submission.ts'
import type { TaskFacts } from '../../core/handover/task-gates.ts'
import type { TaskStatus } from '../../core/handover/tasks-file.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { filesHere, taskFactsAt, idsOfAnswers } from './task-facts.ts'
import { blobHere } from './message-facts.ts'
import { type AcceptanceRun, withAcceptance } from './run-acceptance.ts'
import { checkSessionHere, readSessionHere, sessionNames } from './session-folder.ts'
import { writeSessionEdit } from './write-session.ts'

/** Begins a session, with its status.json; its name. */
export async function beginSession(workspace: Workspace, word: string, lean: boolean): Promise<string> {
  const now = nowIn(workspace)
  const session = newSessionName(word, now)
  if ((await sessionNames(workspace)).includes(session))
    throw refusedEdit(`There is a session ${session} already.`, 'Choose another word for this one.')
  const baseCommit = await workspace.git.tryAsk(headOid)
  const text = statusFileText(newStatus(session, { lean, baseCommit, now }), now)
  await workspace.files.replace(join(workspace.root, sessionPath(session, STATUS_FILE)), text)
  return session
}

/** Asks the user questions, or the question of a gate. */
export function askInSession(
  workspace: Workspace,
  session: string,
  asked: { readonly gate: GateName } | { readonly questions: readonly Question[] },
): Promise<HandoverSession> {
  const now = nowIn(workspace)
  const edit = (it: HandoverSession) =>
    'gate' in asked ? askGate(it, asked.gate, now) : askUser(it, asked.questions, now)
  return writeSessionEdit(workspace, { session, edit, captured: asked })
}

/** Writes answers of the user; the session, and the questions that have to be asked again. */
export async function answerInSession(
  workspace: Workspace,
  session: string,
  answers: ReadonlyMap<string, string | null>,
): Promise<{ readonly written: HandoverSession; readonly again: readonly string[] }> {
  const now = nowIn(workspace)
  let again: readonly string[] = []
  const edit = (it: HandoverSession) => {
    const answered = answerUser(it, answers, now)
    again = answered.again
    return answered.edit
  }
  const captured = { answers: Object.fromEntries(answers) }
  return { written: await writeSessionEdit(workspace, { session, edit, captured }), again }
}

/** Ends a question without an answer. */
export function endInSession(
  workspace: Workspace,
  session: string,
  { id, ...ending }: EndWithoutAnswer & { readonly id: string },
): Promise<HandoverSession> {
  const now = nowIn(workspace)
  const edit = (it: HandoverSession) => endQuestion(it, id, { ...ending, now })
  return writeSessionEdit(workspace, { session, edit, captured: { id, ...ending } })
}

/** Moves a session to another state. On the way to DONE the acceptance checks run. */
export async function advanceInSession(
  workspace: Workspace,
  session: string,
  { run, ...advance }: Omit<Advance, 'now'> & { readonly run: AcceptanceRun },
): Promise<HandoverSession> {
  if (advance.to === 'INTEGRATE' || advance.to === 'DONE') await refuseOpenGates(workspace, session, advance.to)
  const results = advance.to === 'DONE' ? await withAcceptance(workspace, session, run) : null
  const now = nowIn(workspace)
  const edit = (it: HandoverSession) => advanceSession(results ? results(it) : it, { ...advance, now })
  return writeSessionEdit(workspace, { session, edit, captured: advance })
}

// A task that was completed by hand is judged where the work on tasks ends.
async function refuseOpenGates(workspace: Workspace, session: string, to: 'INTEGRATE' | 'DONE'): Promise<void> {
  const before = await readSessionHere(workspace, session)
  requireTransition(before, to)
  if (before.state === 'FIX_BUILD') return
  const problems = await checkSessionHere(workspace, session)
  const open = problems.filter(it => it.rule === 'handover-task' && it.level !== 'review')
  const lines = open.map(it => `  ${it.pointer}: expected ${it.expected}, found ${it.found}`)
  if (open.length > 0) throw unmetGate([`${session} has tasks that are not completed by rule.`, ...lines].join('\n'))
}

/** Sets the status of a task. */
export async function setTaskInSession(
  workspace: Workspace,
  session: string,
  change: { readonly id: string; readonly to: TaskStatus; readonly role: HandoverAgent | null },
): Promise<HandoverSession> {
  const facts = await taskFactsHere(workspace, session)
  const edit = (it: HandoverSession) => setTaskStatus(it, { ...change, facts })
  return writeSessionEdit(workspace, { session, edit, captured: change })
}

/** Keeps the answer of an agent if it keeps to the contract; else its problems. */
export async function submitInSession(
  workspace: Workspace,
  session: string,
  answer: {
    readonly agent: HandoverAgent
    readonly task: string
    readonly text: string
    readonly projectType: ProjectType | null
  },
): Promise<readonly HandoverProblem[]> {
  const { agent, task, text, projectType } = answer
  const { message, problems } = checkOutput(text, { from: agent, projectType, blobNow: blobHere(workspace) })
  if (message === null || problems.length > 0) return problems
  const now = nowIn(workspace)
  const known = await taskFactsHere(workspace, session)
  const idsOf = await idsOfAnswers(known.answers ?? new Map(), filesHere(workspace), [text])
  const submitted = { now, facts: { ...known, idsOf } }
  const edit = (it: HandoverSession) => submitAnswer(it, { agent, task, message }, submitted)
  await writeSessionEdit(workspace, { session, edit, captured: { agent, task, message } })
  return []
}

async function taskFactsHere(workspace: Workspace, session: string): Promise<TaskFacts> {
  const here = filesHere(workspace)
  return taskFactsAt(await readSessionHere(workspace, session), here, { isLater: false, aside: here })
}

function nowIn({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}
