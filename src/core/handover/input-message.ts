import * as z from 'zod'
import { HANDOVER_AGENTS, type HandoverAgent } from './agents.ts'
import { type HandoverRole, sessionOfPath } from './port.ts'
import { refusedEdit } from './session-edit.ts'
import { PROJECT_TYPES } from './checklists.ts'
import type { HandoverProblem } from './handover-problem.ts'
import { messageProblem, readMessage } from './message-text.ts'
import { acceptanceCheck, filledText, oneOf, RISK_FLAGS, textList } from './schema-parts.ts'
import type { WorkflowMode } from './workflow.ts'

/** What an agent is given to do. */
export type InputMessage = z.output<typeof inputMessage>

/** A file that a session has changed, as a message to a Reviewer lists it. */
export type ListedChange = NonNullable<InputMessage['task']['session_changed_files']>[number]

/** What is known of a session when a message to an agent is judged. */
export type InputFacts = {
  /** The agent that gets it; null when nobody said. */
  readonly to: HandoverAgent | null
  readonly mode: WorkflowMode
  /** True for a path of a file in the worktree. */
  readonly exists: (path: string) => boolean
  /** The design specs of the session, as paths. */
  readonly designSpecs: readonly string[]
  /** What git says has changed since the session began; null when nobody asked. */
  readonly changed: readonly ListedChange[] | null
}

/** Checks a message to an agent: all problems at once. Never throws. */
export function checkInput(
  text: string,
  facts: InputFacts,
): { readonly message: InputMessage | null; readonly problems: readonly HandoverProblem[] } {
  const { value, problems } = readMessage('input', text, inputMessage)
  if (value === null) return { message: null, problems }
  const { to } = facts
  const ofRole = to === null ? [] : [...contextProblems(value, to, facts), ...changeProblems(value, to, facts)]
  const ofAny = [...missingContext(value, facts), ...renameProblems(value), ...toolProblems(value)]
  return { message: value, problems: [...problems, ...ofAny, ...ofRole] }
}

/** The role that a message gives to an agent, and the session of its context files; throws when it gives none. */
export function roleInDispatch(text: string): HandoverRole {
  const { value } = readMessage('dispatch', text, inputMessage)
  const session = value?.task.context_files.map(sessionOfPath).find(it => it !== null)?.session
  if (value?.agent && session !== undefined) return { role: value.agent, session }
  throw refusedEdit('The message gives no role: it has to name an `agent`, and context files of a session.')
}

/** The files of a message that are not there; an agent without one of them is blocked. */
export function missingContextFiles({ task }: InputMessage, { exists }: Pick<InputFacts, 'exists'>): string[] {
  return task.context_files.filter(it => !exists(it))
}

function missingContext(message: InputMessage, facts: InputFacts): HandoverProblem[] {
  return missingContextFiles(message, facts).map(it =>
    messageProblem('task/context_files', { expected: `the file ${it}`, found: 'none' }),
  )
}

// Each agent reads what the ones before it have written.
function contextProblems({ task }: InputMessage, to: HandoverAgent, facts: InputFacts): HandoverProblem[] {
  const named = task.context_files
  const lacking = requiredContext(to, facts.mode).filter(it => !named.some(path => path.endsWith(`/${it}`)))
  const specs = DESIGN_READERS.includes(to) ? facts.designSpecs.filter(it => !named.includes(it)) : []
  return [...lacking, ...specs].map(it =>
    messageProblem('task/context_files', { expected: `${it}, which a ${to} reads`, found: 'none' }),
  )
}

const DESIGN_READERS: readonly HandoverAgent[] = ['Coder', 'Reviewer', 'QA']

function requiredContext(to: HandoverAgent, mode: WorkflowMode): readonly string[] {
  const files = REQUIRED_CONTEXT[to] ?? []
  return mode === 'lean' ? files.filter(it => it !== 'architecture.md') : files
}

const REQUIRED_CONTEXT: Readonly<Partial<Record<HandoverAgent, readonly string[]>>> = {
  Architect: ['spec.md', 'acceptance.json'],
  Planner: ['spec.md', 'acceptance.json', 'architecture.md'],
  Coder: ['spec.md', 'tasks.yaml', 'architecture.md'],
  Reviewer: ['spec.md', 'tasks.yaml'],
  QA: ['spec.md', 'acceptance.json', 'tasks.yaml'],
  Security: ['tasks.yaml'],
  Integrator: ['tasks.yaml', 'acceptance.json'],
  Docs: ['spec.md', 'acceptance.json', 'tasks.yaml'],
}

// A check that is a command can't be made by an agent that may not run any.
function toolProblems({ task, tools_available }: InputMessage): HandoverProblem[] {
  const hasCommand = task.acceptance_checks.some(it => it.startsWith('cmd:'))
  if (!hasCommand || tools_available.some(it => RUNS_COMMANDS.test(it))) return []
  const found = tools_available.join(', ') || 'none'
  return [messageProblem('tools_available', { expected: 'a tool that runs the commands of acceptance_checks', found })]
}

const RUNS_COMMANDS = /run|exec|shell|bash|terminal|command/i

function renameProblems({ task }: InputMessage): HandoverProblem[] {
  const renames = (task.session_changed_files ?? []).filter(it => it.change_type === 'renamed' && !it.old_path)
  return renames.map(({ path }) =>
    messageProblem('task/session_changed_files', { expected: `old_path of ${path}, which was renamed`, found: 'none' }),
  )
}

// A Reviewer looks at what has changed, so the list is complete and true; other agents get none.
function changeProblems({ task }: InputMessage, to: HandoverAgent, { changed }: InputFacts): HandoverProblem[] {
  const pointer = 'task/session_changed_files'
  const listed = task.session_changed_files
  if (to !== 'Reviewer')
    return (listed ?? []).length === 0
      ? []
      : [messageProblem(pointer, { expected: `no changed files for a ${to}`, found: `${listed?.length}` })]
  if (listed === undefined) return [messageProblem(pointer, { expected: 'the changed files', found: 'nothing' })]
  if (changed === null) return []
  const said = listed.map(changeText)
  const known = changed.map(changeText)
  return [
    ...known.filter(it => !said.includes(it)).map(it => ({ expected: it, found: 'nothing' })),
    ...said.filter(it => !known.includes(it)).map(it => ({ expected: 'what git says', found: it })),
  ].map(it => messageProblem(pointer, it))
}

function changeText({ path, change_type, old_path }: ListedChange): string {
  return change_type === 'renamed' ? `renamed ${old_path ?? '?'} to ${path}` : `${change_type} ${path}`
}

const listedChange = z.looseObject(
  {
    path: filledText,
    change_type: oneOf(['added', 'modified', 'deleted', 'renamed']),
    old_path: filledText.optional(),
  },
  { error: 'a changed file' },
)

const task = z.looseObject(
  {
    id: z.string({ error: 'T-001 or meta' }).regex(/^(?:T-\d+|meta)$/, { error: 'T-001 or meta' }),
    title: filledText,
    goal: filledText,
    non_goals: textList,
    context_files: textList,
    session_changed_files: z.array(listedChange, { error: 'a list of changed files' }).optional(),
    constraints: textList,
    acceptance_checks: z.array(acceptanceCheck, { error: 'a list of checks' }),
    risk_flags: z.array(oneOf(RISK_FLAGS), { error: 'a list of flags' }),
  },
  { error: 'a task' },
)

const repoState = z.looseObject(
  {
    branch: filledText,
    ci_status: oneOf(['unknown', 'green', 'red']),
    last_failed_step: z.string({ error: 'a text or null' }).nullish(),
  },
  { error: 'a map of branch, ci_status and last_failed_step' },
)

const inputMessage = z.looseObject(
  {
    task,
    project_type: oneOf(PROJECT_TYPES),
    repo_state: repoState,
    tools_available: textList,
    artifact_list: textList.optional(),
    agent: oneOf(HANDOVER_AGENTS).optional(),
  },
  { error: 'an object' },
)
