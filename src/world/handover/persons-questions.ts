import { personsQuestions } from '../../core/handover/person-gates.ts'
import { loadHandoverGates } from '../intents/policy/load-policy.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readSessionHere } from './session-folder.ts'

/** The questions among some that only a person may end here; `ids` is null for all that wait. */
export async function personsQuestionsHere(
  workspace: Workspace,
  session: string,
  ids: Iterable<string> | null,
): Promise<string[]> {
  const { status } = await readSessionHere(workspace, session)
  const waiting = (status?.user_decisions ?? []).filter(it => it.status === 'pending').map(it => it.decision_id)
  const persons = personsQuestions(status, ids ?? waiting)
  return persons.length > 0 && (await loadHandoverGates(workspace)) === 'person' ? persons : []
}
