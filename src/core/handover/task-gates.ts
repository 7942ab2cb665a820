import { blobOid } from '../git/blob-oid.ts'
import { GATE_AGENTS, type HandoverAgent, SOURCE_WRITERS } from './agents.ts'
import { SESSIONS_FOLDER } from './port.ts'
import { type HandoverSession, sessionPath } from './handover-session.ts'
import { checkOutput, type OutputMessage } from './output-message.ts'
import type { HandoverTask, TaskStatus } from './tasks-file.ts'

/** What the gates of tasks are judged by, at one moment. */
export type TaskFacts = {
  /** The kept answers of agents, by the file of each in the session's folder; null where git ignores them. */
  readonly answers: ReadonlyMap<string, string> | null
  /** The ids of a file's content: `none` for one that is not there; nothing for content that is not compared. */
  readonly idsOf: (path: string) => readonly string[]
  /** True where the source may have gone on since a task was completed, as in a commit of a day's work. */
  readonly isLater: boolean
}

/** The facts where no answer was kept, and content is not compared. */
export const NO_TASK_FACTS: TaskFacts = { answers: new Map(), idsOf: () => [], isLater: true }

/** The id that stands for a file that is not there. */
export const NO_CONTENT = 'none'

/** The file in which the answer of an agent is kept, in the session's folder. */
export function answerFile(task: string, agent: HandoverAgent): string {
  return `messages/${task}.${agent}.json`
}

type Session = Pick<HandoverSession, 'name' | 'tasks' | 'state'>
type Task = Pick<HandoverTask, 'id' | 'risk_flags'>

/**
 * The gates of a task that have not passed, each with the reason. A gate passes by an OK that was given after the
 * Coder's answer, for the files that this one names, with the content that they have.
 */
export function openGates(task: Task, session: Session, facts: TaskFacts): string[] {
  const coder = readAnswer(task.id, 'Coder', facts)
  const flaw = coderFlaw(coder)
  const gates = ['Reviewer', 'QA', ...(task.risk_flags?.includes('security') ? ['Security'] : [])] as HandoverAgent[]
  const ofGates = gates.flatMap(agent => {
    const open = gateFlaw(task, agent, { session, facts, coder: flaw === null ? coder : null })
    return open === null ? [] : [`${agent}: ${open}`]
  })
  return flaw === null ? ofGates : [`Coder: ${flaw}`, ...ofGates]
}

/** The tasks that a change completes. */
export function completedTasks(before: Pick<Session, 'tasks'> | null, after: Pick<Session, 'tasks'>): HandoverTask[] {
  const was = new Map(before?.tasks?.tasks.map(it => [it.id, it.status]))
  return (after.tasks?.tasks ?? []).filter(it => it.status === 'completed' && was.get(it.id) !== 'completed')
}

/** The files of answers by which the gates of a session's tasks are judged. */
export function gateFiles({ tasks }: Pick<Session, 'tasks'>): string[] {
  const agents = [...GATE_AGENTS, ...SOURCE_WRITERS]
  const ofTasks = (tasks?.tasks ?? []).flatMap(({ id }) => agents.map(it => answerFile(id, it)))
  return [...ofTasks, ...SOURCE_WRITERS.map(it => answerFile('meta', it))]
}

/** The files of the worktree that some answers name as changed. */
export function filesOfAnswers(answers: Iterable<string>): string[] {
  const messages = [...answers].flatMap(it => messageIn(it) ?? [])
  return [...new Set(messages.flatMap(workOf))]
}

// The files that an answer says its agent has changed.
function filesChangedBy({ artifacts }: OutputMessage): string[] {
  const { files_changed = [], files_to_create_or_update = [], tests_added_or_updated = [] } = artifacts
  const named = files_changed.length > 0 ? files_changed : files_to_create_or_update
  return [...new Set([...named, ...tests_added_or_updated])].map(it => it.replace(/^\.\//, ''))
}

// Without those of sessions, which change with each step.
function workOf(message: OutputMessage): string[] {
  return filesChangedBy(message).filter(it => !it.startsWith(`${SESSIONS_FOLDER}/`))
}

/** What the OK of a gate is bound to: the Coder's answer for the task, and the files that it names; or why not. */
export function implementationOf(task: string, session: string, facts: TaskFacts): Record<string, string> | string {
  const coder = readAnswer(task, 'Coder', facts)
  const flaw = coderFlaw(coder)
  if (flaw !== null || !coder?.message) return `Coder: ${flaw}`
  const answer = sessionPath(session, answerFile(task, 'Coder'))
  return { ...idsOfWork(coder.message, facts), [answer]: blobOid(Buffer.from(coder.text)) }
}

/** The ids that the files which an answer names have now. */
export function idsOfWork(message: OutputMessage, { idsOf }: TaskFacts): Record<string, string> {
  return Object.fromEntries(workOf(message).map(it => [it, idsOf(it)[0] ?? NO_CONTENT]))
}

type Answer = { readonly text: string; readonly message: OutputMessage | null; readonly problem: string | null }

function readAnswer(task: string, agent: HandoverAgent, { answers }: TaskFacts): Answer | null {
  const text = answers?.get(answerFile(task, agent))
  if (text === undefined) return null
  const { message, problems } = checkOutput(text, { from: agent, projectType: null, blobNow: null })
  const [first] = problems
  if (first) return { text, message, problem: `${first.expected}, found ${first.found}` }
  // As it is kept, an answer names its agent and its task.
  const isOwn = (message?.['agent'] ?? agent) === agent && (message?.['task'] ?? task) === task
  return { text, message, problem: isOwn ? null : `the answer of ${agent} for ${task}, found another` }
}

function messageIn(text: string): OutputMessage | null {
  return checkOutput(text, { from: null, projectType: null, blobNow: null }).message
}

function answerFlaw(answer: Answer | null): string | null {
  if (answer === null) return 'nothing submitted'
  if (answer.problem !== null) return `not valid: expected ${answer.problem}`
  return answer.message?.status === 'OK' ? null : (answer.message?.status ?? 'not valid')
}

// Without a file there is nothing that a gate could look at.
function coderFlaw(answer: Answer | null): string | null {
  const flaw = answerFlaw(answer)
  if (flaw !== null || !answer?.message) return flaw
  return filesChangedBy(answer.message).length === 0 ? 'no file in files_changed' : null
}

type Judging = { readonly session: Session; readonly facts: TaskFacts; readonly coder: Answer | null }

function gateFlaw(task: Task, agent: HandoverAgent, { session, facts, coder }: Judging): string | null {
  const answer = readAnswer(task.id, agent, facts)
  const flaw = answerFlaw(answer)
  if (flaw !== null || !answer?.message) return flaw
  if (!coder?.message) return null
  const based = answer.message.artifacts.based_on ?? {}
  const given = based[sessionPath(session.name, answerFile(task.id, 'Coder'))]
  if (given === undefined || !isIdOf(given, coder.text)) return "OK from before the Coder's answer"
  const files = workOf(coder.message).filter(it => facts.idsOf(it).length > 0)
  const lacking = files.find(it => based[it] === undefined)
  if (lacking !== undefined) return `OK without an id of ${lacking} in based_on`
  const other = files.find(it => !isAsGiven(it, based[it] ?? '', { task, session, facts }))
  return other === undefined ? null : `OK for other content of ${other}`
}

function isIdOf(oid: string, text: string): boolean {
  return blobOid(Buffer.from(text), oid.length === 64 ? 'sha256' : 'sha1') === oid
}

// What is blocked was in work, and may go on.
const IN_WORK: readonly TaskStatus[] = ['in-progress', 'blocked']

type Place = { readonly task: Task; readonly session: Session; readonly facts: TaskFacts }

function isAsGiven(path: string, oid: string, { task, session, facts }: Place): boolean {
  const now = facts.idsOf(path)
  if (now.length === 0 || now.includes(oid)) return true
  if (!facts.isLater) return false
  // Other work goes on in the same file: on another task, whose own gates look at it, or on the build.
  const isInWork = ({ id, status, files_expected = [] }: HandoverTask): boolean =>
    id !== task.id && IN_WORK.includes(status) && (files_expected.length === 0 || files_expected.includes(path))
  if (session.state === 'FIX_BUILD' || session.tasks?.tasks.some(isInWork)) return true
  const others = gateFiles(session).filter(it => !it.startsWith(`messages/${task.id}.`))
  return others.some(it => now.includes(messageIn(facts.answers?.get(it) ?? '')?.artifacts.based_on?.[path] ?? ''))
}
