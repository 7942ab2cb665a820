import { join } from 'node:path'
import { readAnswer, type RequestAnswer } from '../intents/request-answer.ts'
import { takeOnce } from '../io/take-once.ts'
import type { Workspace } from './workspace.ts'

// Agents' hooks ask this as well: nothing is loaded here that they don't need.

/** The ways by which an agent is told; by each of them it is told of an answer once. */
export type Channel = 'mcp' | 'hook'

type Place = Pick<Workspace, 'gitDir' | 'files'>

const CHANNELS: readonly Channel[] = ['mcp', 'hook']

/** Leaves an answer for the agent that asked. */
export async function leaveAnswer(place: Place, answer: RequestAnswer): Promise<void> {
  for (const channel of CHANNELS) {
    const folder = folderOf(place, channel)
    for (const name of (await place.files.list(folder)).sort().slice(0, -KEPT_MAX)) {
      await place.files.remove(join(folder, name))
    }
    // By time, so that the oldest go first.
    await place.files.put(join(folder, `${Date.parse(answer.at)}-${answer.request}.json`), JSON.stringify(answer))
  }
}

const KEPT_MAX = 100

/** What was answered to a session since it was told by this channel, oldest first; it counts as told from now on. */
export async function answersFor(place: Place, session: string, channel: Channel): Promise<RequestAnswer[]> {
  const folder = folderOf(place, channel)
  const answers: RequestAnswer[] = []
  for (const name of (await place.files.list(folder)).filter(it => NAME.test(it)).sort()) {
    const answer = readAnswer(String(await place.files.read(join(folder, name))))
    if (answer?.session === session && (await takeOnce(place.files, join(folder, name)))) answers.push(answer)
  }
  return answers
}

const NAME = /^\d+-[\w-]+\.json$/

function folderOf({ gitDir }: Pick<Place, 'gitDir'>, channel: Channel): string {
  return join(gitDir, 'kotef/answers', channel)
}
