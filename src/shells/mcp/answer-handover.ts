import { KotefError } from '../../core/base/failure.ts'
import { type HandoverAgent, handoverAgent } from '../../core/handover/agents.ts'
import { GATE_ANSWERS } from '../../core/handover/edit-decisions.ts'
import type { HandoverSession } from '../../core/handover/handover-session.ts'
import { personsQuestionFailure } from '../../core/handover/person-gates.ts'
import { TASK_STATUSES } from '../../core/handover/tasks-file.ts'
import { WORKFLOW_STATES } from '../../core/handover/workflow.ts'
import {
  advanceInSession,
  answerInSession,
  askInSession,
  beginSession,
  endInSession,
  setTaskInSession,
  submitInSession,
} from '../../world/handover/operations.ts'
import { handoverView } from '../../world/handover/session-view.ts'
import { personsQuestionsHere } from '../../world/handover/persons-questions.ts'
import { sessionInQuestion } from '../../world/handover/session-folder.ts'
import { handoverStatus, handoverStatusLines } from '../../core/handover/handover-status.ts'
import { handoverProblemLine } from '../../core/handover/problem-lines.ts'
import { objectOrNull, type Payload } from '../../core/base/payload.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** The answer of a tool: a text, and values. */
export type HandoverReply = { readonly text: string; readonly more: Payload; readonly isRefused?: true }

type Call = {
  readonly workspace: Workspace
  readonly args: Payload
  /** The role of the caller's session; null without one. */
  readonly role: HandoverAgent | null
  readonly asks: Map<string, number>
}
type Answering = (call: Call, session: string) => Promise<HandoverReply>

/** Answers a call of a tool for sessions; null for another tool. `asks` counts how often each gate was asked again. */
export async function answerHandover(name: string, call: Call): Promise<HandoverReply | null> {
  if (name === 'handover_new') return begun(call)
  const answering = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined
  if (!answering) return null
  return answering(call, await sessionInQuestion(call.workspace, textArg(call.args, 'session'), 'session: '))
}

async function begun({ workspace, args }: Call): Promise<HandoverReply> {
  const session = await beginSession(workspace, requiredArg(args, 'word'), args['lean'] === true)
  return { text: `${session} begins.`, more: { session } }
}

const ANSWERS: Readonly<Record<string, Answering>> = {
  handover_status: async ({ workspace }, session) => {
    const view = await handoverView(workspace, session)
    return { text: handoverStatusLines(view).join('\n'), more: handoverStatus(view) }
  },
  handover_ask: async ({ workspace, args }, session) => {
    const { gate } = args
    if (gate === 'design' || gate === 'strategy') return stateReply(await askInSession(workspace, session, { gate }))
    const criterion = textArg(args, 'criterion')
    const about = { security: args['security'] === true, ...(criterion ? { criterion } : {}) }
    const questions = (Array.isArray(args['questions']) ? args['questions'] : []).map(it => ({
      question: String(it),
      ...about,
    }))
    if (questions.length === 0) throw new KotefError('usage', 'questions is missing.')
    return stateReply(await askInSession(workspace, session, { questions }))
  },
  handover_answer: answerQuestionsOf,
  handover_end_question: async ({ workspace, args }, session) => {
    const how = args['how'] === 'skipped' ? 'skipped' : 'cancelled'
    const ending = { id: requiredArg(args, 'id'), how, reason: requiredArg(args, 'reason') } as const
    await refuseAtGates(workspace, session, [ending.id])
    return stateReply(await endInSession(workspace, session, ending))
  },
  handover_advance: async ({ workspace, args }, session) => {
    const to = wordIn(WORKFLOW_STATES, args, 'state')
    const more = { task: textArg(args, 'task'), agent: handoverAgent(args['agent']), reason: textArg(args, 'reason') }
    const run = { env: process.env, running: () => {} }
    return stateReply(await advanceInSession(workspace, session, { to, run, ...more }))
  },
  handover_task: async ({ workspace, args, role }, session) => {
    const id = requiredArg(args, 'id')
    const to = wordIn(TASK_STATUSES, args, 'status')
    await setTaskInSession(workspace, session, { id, to, role: role ?? handoverAgent(args['role']) })
    return { text: `${id} is ${to}.`, more: { session, task: id, status: to } }
  },
  handover_submit: async ({ workspace, args }, session) => {
    const agent = handoverAgent(args['role'])
    if (agent === null) throw new KotefError('usage', 'role is missing, or is not the name of an agent.')
    const task = textArg(args, 'task') ?? 'meta'
    const text = JSON.stringify(args['answer'] ?? null)
    const problems = await submitInSession(workspace, session, { agent, task, text, projectType: null })
    if (problems.length === 0) return { text: `The answer of ${agent} for ${task} is kept.`, more: { session, task } }
    return { text: problems.map(handoverProblemLine).join('\n'), more: { problems }, isRefused: true }
  },
}

// Only agents call a tool of this server.
async function refuseAtGates(workspace: Workspace, session: string, ids: Iterable<string>): Promise<void> {
  const persons = await personsQuestionsHere(workspace, session, ids)
  if (persons.length > 0) throw personsQuestionFailure('An agent', session, persons)
}

const ASKS_MAX = 3

// A gate without a valid answer after three tries stops the session; the count lasts as long as this process.
async function answerQuestionsOf({ workspace, args, asks }: Call, session: string): Promise<HandoverReply> {
  const given = Object.entries(objectOrNull(args['answers']) ?? {})
  if (given.length === 0) throw new KotefError('usage', 'answers is missing.')
  const answers = new Map(given.map(([id, it]) => [id, typeof it === 'string' ? it : null] as const))
  await refuseAtGates(workspace, session, answers.keys())
  const { written, again } = await answerInSession(workspace, session, answers)
  const gates = again.filter(it => !/^UD-\d+$/.test(it))
  for (const id of gates) {
    const key = `${session} ${id}`
    asks.set(key, (asks.get(key) ?? 0) + 1)
    if ((asks.get(key) ?? 0) < ASKS_MAX) continue
    asks.delete(key)
    const reason = `no valid answer after ${ASKS_MAX} questions`
    return stateReply(await endInSession(workspace, session, { id, how: 'cancelled', reason }))
  }
  const reply = stateReply(written)
  return again.length === 0
    ? reply
    : {
        text: `Ask again: ${again.map(it => `${it} (${GATE_ANSWERS[it] ?? 'any answer'})`).join(', ')}. ${reply.text}`,
        more: { ...reply.more, again },
        isRefused: true,
      }
}

function stateReply({ name, status }: HandoverSession): HandoverReply {
  const pending = (status?.user_decisions ?? []).filter(it => it.status === 'pending')
  const ids = pending.map(it => it.decision_id)
  const waits = ids.length === 0 ? '' : ` It waits for the user: ${ids.join(', ')}.`
  return {
    text: `${name} is in ${status?.current_state}.${waits}`,
    more: { session: name, state: status?.current_state, pending },
  }
}

function wordIn<T extends string>(words: readonly T[], args: Payload, name: string): T {
  const found = words.find(it => it === args[name])
  if (found !== undefined) return found
  throw new KotefError('usage', `${name} is one of ${words.join(', ')}.`)
}

function textArg(args: Payload, name: string): string | null {
  const value = args[name]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function requiredArg(args: Payload, name: string): string {
  const value = textArg(args, name)
  if (value !== null) return value
  throw new KotefError('usage', `${name} is missing, or is not a text.`)
}
