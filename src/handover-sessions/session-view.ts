import type { HandoverView } from '../report/handover-status.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { readTaskAnswers } from './agent-answers.ts'
import { checkSessionHere, readSessionHere } from './session-folder.ts'

/** Gathers what the view of a session is made of. */
export async function handoverView(workspace: Workspace, name: string): Promise<HandoverView> {
  const session = await readSessionHere(workspace, name)
  const answers = new Map<string, Awaited<ReturnType<typeof readTaskAnswers>>>()
  for (const { id } of session.tasks?.tasks ?? []) answers.set(id, await readTaskAnswers(workspace, name, id))
  return { session, answers, problems: await checkSessionHere(workspace, name) }
}
