import { NO_TASK_FACTS } from '../../core/handover/task-gates.ts'
import type { HandoverView } from '../../core/handover/handover-status.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { filesHere, taskFactsAt } from './task-facts.ts'
import { checkSessionHere, readSessionHere } from './session-folder.ts'

/** Gathers what the view of a session is made of. */
export async function handoverView(workspace: Workspace, name: string): Promise<HandoverView> {
  const session = await readSessionHere(workspace, name)
  const here = filesHere(workspace)
  // The gates of other tasks are not shown.
  const isWaiting = session.tasks?.tasks.some(it => it.status === 'implemented') ?? false
  const gates = isWaiting ? await taskFactsAt(session, here, { isLater: false, aside: here }) : NO_TASK_FACTS
  return { session, gates, problems: await checkSessionHere(workspace, name) }
}
