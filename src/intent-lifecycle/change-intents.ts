import { transitionRefusal } from '../intents/lifecycle.ts'
import { type IntentFields, withFields, withIntent, withStatus } from '../intents/edit-yaml.ts'
import { findIntent, type Intent, type IntentStatus, nextIntentId } from '../intents/intent.ts'
import { KotefError } from '../findings/failure.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/judge-new-commits.ts'
import { editRegistry, type RegistryEdit } from '../registry/edit-registry.ts'
import { endSessions, liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Adds a PENDING intent. Without an id, it gets the next free number. */
export async function addIntent(workspace: Workspace, options: IntentFields & { id: string | null }): Promise<Intent> {
  const at = nowAsIso(workspace)
  let { id } = options
  const edit: RegistryEdit = (text, before) => {
    id ??= nextIntentId(before)
    return withIntent(text, { ...options, id, status: 'PENDING', created_at: at, updated_at: at })
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-added', intent: id ?? '' }))
  await compilePolicy(workspace)
  return findIntent(intents, id ?? '')
}

/** Replaces fields of an intent. `change` gets the current intent, under the registry's lock. */
export async function editIntent(
  workspace: Workspace,
  id: string,
  change: (intent: Intent) => IntentFields,
): Promise<Intent> {
  let names: string[] = []
  const edit: RegistryEdit = (text, before) => {
    const fields = change(findIntent(before, id))
    names = Object.keys(fields)
    return withFields(text, id, { fields, at: nowAsIso(workspace) })
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-edited', intent: id, fields: names }))
  await compilePolicy(workspace)
  return findIntent(intents, id)
}

/** A transition: the intent, its new status, and the reason that a person gave. */
export type StatusChange = { readonly id: string; readonly to: IntentStatus; readonly reason: string | null }

/** Puts an intent in progress. An intent that is in progress already stays so. */
export function putInProgress(workspace: Workspace, id: string): Promise<Intent> {
  return changeStatus(workspace, { id, to: 'IN_PROGRESS', reason: null, mayStay: true })
}

async function changeStatus(
  workspace: Workspace,
  { id, to, reason, mayStay }: StatusChange & { mayStay: boolean },
): Promise<Intent> {
  let from: IntentStatus = to
  const edit: RegistryEdit = (text, before) => {
    const intent = findIntent(before, id)
    from = intent.status
    if (mayStay && from === to) return text
    refuseIllegalTransition(intent, to)
    return withStatus(text, id, { status: to, at: nowAsIso(workspace) })
  }
  const why = reason === null ? {} : { reason }
  return findIntent(
    await editRegistry(workspace, edit, () => ({ event: 'transition', intent: id, from, to, ...why })),
    id,
  )
}

/** Moves an intent to a status in which no session may work on it, and ends its sessions. */
export async function stopIntent(workspace: Workspace, move: StatusChange): Promise<Intent> {
  // A session on an intent with this status is left from a call that was interrupted. This call completes it.
  const mayStay = (await liveSessions(workspace)).some(it => it.intent === move.id)
  const intent = await changeStatus(workspace, { ...move, mayStay })
  await tryJudgeNewCommits(workspace)
  await endSessions(workspace, it => it.intent === move.id)
  await compilePolicy(workspace)
  return intent
}

/** Throws when a transition of an intent is not legal. */
export function refuseIllegalTransition(intent: Intent, to: IntentStatus): void {
  const refusal = transitionRefusal(intent, to)
  if (refusal) throw new KotefError('illegal-transition', refusal.why, { hint: refusal.hint })
}

function nowAsIso({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}
