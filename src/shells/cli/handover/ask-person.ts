import { isCancel, text } from '@clack/prompts'
import { GATE_ANSWERS } from '../../../core/handover/edit-decisions.ts'
import type { UserDecision } from '../../../core/handover/status-file.ts'
import { readSessionHere } from '../../../world/handover/session-folder.ts'
import { endInSession } from '../../../world/handover/operations.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { escapeForTerminal } from '../../../core/base/printable.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

type Write = (answers: ReadonlyMap<string, string | null>) => Promise<VerbOutput>

/** Asks a person at a terminal each question that waits, and writes each answer at once. */
export async function askPerson(workspace: Workspace, session: string, write: Write): Promise<VerbOutput> {
  const { status } = await readSessionHere(workspace, session)
  const pending = (status?.user_decisions ?? []).filter(it => it.status === 'pending')
  let last: VerbOutput = { text: `${session} has no question for you.`, json: { session, pending } }
  for (const it of pending) last = await askOneQuestion(it, { workspace, session, write })
  return last
}

type Asking = { readonly workspace: Workspace; readonly session: string; readonly write: Write }

// A gate that gets no valid answer blocks the session: nothing can go on without it.
async function askOneQuestion(it: UserDecision, { workspace, session, write }: Asking): Promise<VerbOutput> {
  for (let count = 0; count < ASKS_MAX; count++) {
    const answer = await text({ message: escapeForTerminal(`${it.decision_id}: ${it.question}`), ...hintOf(it) })
    if (isCancel(answer)) break
    const output = await write(new Map([[it.decision_id, answer]]))
    if (output.exit !== 1) return output
  }
  const reason = 'the user did not answer'
  await endInSession(workspace, session, { id: it.decision_id, how: 'cancelled', reason })
  return { text: `${it.decision_id} is cancelled: ${reason}.`, json: { session, cancelled: it.decision_id }, exit: 1 }
}

const ASKS_MAX = 3

function hintOf({ decision_id }: UserDecision): { placeholder?: string } {
  const placeholder = GATE_ANSWERS[decision_id]
  return placeholder === undefined ? {} : { placeholder }
}
