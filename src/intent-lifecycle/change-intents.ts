import { transitionRefusal } from '../intents/lifecycle.ts'
import { type IntentFields, withFields, withIntent, withStatus } from '../intents/edit-yaml.ts'
import { findIntent, nextIntentId } from '../intents/find-intent.ts'
import type { Intent, IntentStatus } from '../intents/intent.ts'
import { KotefError } from '../findings/failure.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/try-judge-new-commits.ts'
import { editRegistry, type RegistryEdit } from '../registry/edit-registry.ts'
import { endSessions, liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Adds a PENDING intent; without an id it gets the next free number. */
export async function addIntent(workspace: Workspace, wish: IntentFields & { id: string | null }): Promise<Intent> {
  const at = nowAsIso(workspace)
  let id = wish.id
  const edit: RegistryEdit = (text, before) => {
    id ??= nextIntentId(before)
    return withIntent(text, { ...wish, id, status: 'PENDING', created_at: at, updated_at: at })
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-added', intent: id ?? '' }))
  await compilePolicy(workspace)
  return findIntent(intents, id ?? '')
}

/** Replaces fields of an intent; `change` sees it as it stands, under the lock. */
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

/** Where an intent is to go, and why. */
export type StatusChange = { readonly id: string; readonly to: IntentStatus; readonly reason: string | null }

/** Puts an intent in progress; one that is there already stays, also when another process was faster. */
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

/** Moves an intent to a status in which nobody works on it: the sessions on it end. */
export async function stopIntent(workspace: Workspace, move: StatusChange): Promise<Intent> {
  // A session on an intent that rests is left of a call that was cut off in between; this one finishes its job.
  const mayStay = (await liveSessions(workspace)).some(it => it.intent === move.id)
  const intent = await changeStatus(workspace, { ...move, mayStay })
  await tryJudgeNewCommits(workspace)
  await endSessions(workspace, it => it.intent === move.id)
  await compilePolicy(workspace)
  return intent
}

/** Throws when an intent can't go to a status. */
export function refuseIllegalTransition(intent: Intent, to: IntentStatus): void {
  const refusal = transitionRefusal(intent, to)
  if (refusal) throw new KotefError('illegal-transition', refusal.why, { hint: refusal.hint })
}

function nowAsIso({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}
