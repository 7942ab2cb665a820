import { readAnswer, type RequestAnswer } from '../../core/intents/request-answer.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../io/worktree/workspace.ts'

// Agents' hooks load this file with every tool call: it imports no more than they need.

const ANSWER_CHANNELS = ['mcp', 'hook'] as const

/** The ways by which an agent gets an answer. It gets each answer once by each of them. */
export type AnswerChannel = (typeof ANSWER_CHANNELS)[number]

/** Puts an answer into the inboxes of the agent that made the request. */
export async function deliverAnswer(access: GitDirAccess, answer: RequestAnswer): Promise<void> {
  // The time comes first, so that the oldest answers are removed first.
  const name = `${Date.parse(answer.at)}-${answer.request}.json`
  for (const channel of ANSWER_CHANNELS) await inbox(access, channel).put(name, answer)
}

/** Takes the answers to a session out of one channel's inbox, oldest first. */
export async function takeAnswers(
  access: GitDirAccess,
  session: string,
  channel: AnswerChannel,
): Promise<RequestAnswer[]> {
  const answers = inbox(access, channel)
  const taken: RequestAnswer[] = []
  for (const { name, record } of await answers.list())
    if (record.session === session && (await answers.take(name))) taken.push(record)
  return taken
}

// An agent whose session has ended never takes its answers, so the inbox has a limit.
const ANSWERS_MAX = 100

function inbox(access: GitDirAccess, channel: AnswerChannel) {
  const fileName = /^\d+-[\w-]+\.json$/
  return recordDir(access, { folder: ['answers', channel], fileName, parse: readAnswer, max: ANSWERS_MAX })
}
