import { join } from 'node:path'
import { readAnswer, type RequestAnswer } from '../intents/request-answer.ts'
import { takeFile } from '../io/files/take-file.ts'
import type { Workspace } from '../worktree/workspace.ts'

// Agents' hooks ask this as well: nothing is loaded here that they don't need.

/** The ways by which an agent is told; by each of them it is told of an answer once. */
export type AnswerChannel = 'mcp' | 'hook'

type AnswerInbox = Pick<Workspace, 'gitDir' | 'files'>

const ANSWER_CHANNELS: readonly AnswerChannel[] = ['mcp', 'hook']

/** Leaves an answer for the agent that asked. */
export async function deliverAnswer(inbox: AnswerInbox, answer: RequestAnswer): Promise<void> {
  for (const channel of ANSWER_CHANNELS) {
    const folder = inboxFolder(inbox, channel)
    for (const name of (await inbox.files.list(folder)).sort().slice(0, -ANSWERS_MAX)) {
      await inbox.files.remove(join(folder, name))
    }
    // By time, so that the oldest go first.
    await inbox.files.put(join(folder, `${Date.parse(answer.at)}-${answer.request}.json`), JSON.stringify(answer))
  }
}

const ANSWERS_MAX = 100

/** What was answered to a session since it was told by this channel, oldest first; it counts as told from now on. */
export async function takeAnswers(
  inbox: AnswerInbox,
  session: string,
  channel: AnswerChannel,
): Promise<RequestAnswer[]> {
  const folder = inboxFolder(inbox, channel)
  const answers: RequestAnswer[] = []
  for (const name of (await inbox.files.list(folder)).filter(it => ANSWER_FILE_NAME.test(it)).sort()) {
    const answer = readAnswer(String(await inbox.files.read(join(folder, name))))
    if (answer?.session === session && (await takeFile(inbox.files, join(folder, name)))) answers.push(answer)
  }
  return answers
}

const ANSWER_FILE_NAME = /^\d+-[\w-]+\.json$/

function inboxFolder({ gitDir }: Pick<AnswerInbox, 'gitDir'>, channel: AnswerChannel): string {
  return join(gitDir, 'kotef/answers', channel)
}
