import { join } from 'node:path'
import { HANDOVER_AGENTS, type HandoverAgent, MESSAGE_STATUSES, type MessageStatus } from '../handover/agents.ts'
import { sessionPath } from '../handover/handover-session.ts'
import { answerFile } from '../handover/submission.ts'
import { parseObject } from '../text/payload.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The answers that agents submitted for a task of a session. */
export async function readTaskAnswers(
  { root, files }: Pick<Workspace, 'root' | 'files'>,
  session: string,
  task: string,
): Promise<ReadonlyMap<HandoverAgent, MessageStatus>> {
  const found = new Map<HandoverAgent, MessageStatus>()
  for (const agent of HANDOVER_AGENTS) {
    const bytes = await files.read(join(root, sessionPath(session, answerFile(task, agent))))
    const said = bytes && parseObject(bytes.toString('utf8'))?.['status']
    const status = MESSAGE_STATUSES.find(it => it === said)
    if (status) found.set(agent, status)
  }
  return found
}
