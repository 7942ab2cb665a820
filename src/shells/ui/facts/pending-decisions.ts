import { answerCommand } from '../../../core/handover/person-gates.ts'
import { readSessionHere, sessionNames } from '../../../world/handover/session-folder.ts'
import type { DecisionNow } from '../pages/now-facts.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The questions of all handovers that wait for an answer. */
export async function pendingDecisions(workspace: Workspace): Promise<DecisionNow[]> {
  const names = await sessionNames(workspace)
  const found = await Promise.all(names.map(it => decisionsOf(workspace, it).catch(() => [])))
  return found.flat()
}

async function decisionsOf(workspace: Workspace, handover: string): Promise<DecisionNow[]> {
  const { status } = await readSessionHere(workspace, handover)
  const command = answerCommand(handover)
  return (status?.user_decisions ?? [])
    .filter(it => it.status === 'pending')
    .map(it => ({ handover, id: it.decision_id, question: it.question, at: it.asked_at, command }))
}
