import { whyNot } from '../intents/lifecycle.ts'
import { type IntentFields, withFields, withIntent, withStatus } from '../intents/edit.ts'
import { intentNamed, nextId } from '../intents/find.ts'
import type { Intent, Status } from '../intents/intent.ts'
import { KotefError } from '../report/failure.ts'
import { compile } from './compile.ts'
import { judgeSoFar } from './judge-so-far.ts'
import { editRegistry, type RegistryEdit } from './registry-edit.ts'
import { endSessions, liveSessions } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** Adds a PENDING intent; without an id it gets the next free number. */
export async function addIntent(workspace: Workspace, wish: IntentFields & { id: string | null }): Promise<Intent> {
  const at = timeOf(workspace)
  let id = wish.id
  const edit: RegistryEdit = (text, before) => {
    id ??= nextId(before)
    return withIntent(text, { ...wish, id, status: 'PENDING', created_at: at, updated_at: at })
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-added', intent: id ?? '' }))
  await compile(workspace)
  return intentNamed(intents, id ?? '')
}

/** Replaces fields of an intent; `change` sees it as it stands, under the lock. */
export async function changeIntent(
  workspace: Workspace,
  id: string,
  change: (intent: Intent) => IntentFields,
): Promise<Intent> {
  let names: string[] = []
  const edit: RegistryEdit = (text, before) => {
    const fields = change(intentNamed(before, id))
    names = Object.keys(fields)
    return withFields(text, id, { fields, at: timeOf(workspace) })
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-edited', intent: id, fields: names }))
  await compile(workspace)
  return intentNamed(intents, id)
}

/** Where an intent is to go, and why. */
export type Move = { readonly id: string; readonly to: Status; readonly reason: string | null }

/** Puts an intent in progress; one that is there already stays, also when another process was faster. */
export function openIntent(workspace: Workspace, id: string): Promise<Intent> {
  return moveIntent(workspace, { id, to: 'IN_PROGRESS', reason: null, mayStay: true })
}

async function moveIntent(
  workspace: Workspace,
  { id, to, reason, mayStay }: Move & { mayStay: boolean },
): Promise<Intent> {
  let from: Status = to
  const edit: RegistryEdit = (text, before) => {
    const intent = intentNamed(before, id)
    from = intent.status
    if (mayStay && from === to) return text
    refuseIllegal(intent, to)
    return withStatus(text, id, { status: to, at: timeOf(workspace) })
  }
  const why = reason === null ? {} : { reason }
  return intentNamed(
    await editRegistry(workspace, edit, () => ({ event: 'transition', intent: id, from, to, ...why })),
    id,
  )
}

/** Moves an intent to a status in which nobody works on it: the sessions on it end. */
export async function restIntent(workspace: Workspace, move: Move): Promise<Intent> {
  // A session on an intent that rests is left of a call that was cut off in between; this one finishes its job.
  const mayStay = (await liveSessions(workspace)).some(it => it.intent === move.id)
  const intent = await moveIntent(workspace, { ...move, mayStay })
  await judgeSoFar(workspace)
  await endSessions(workspace, it => it.intent === move.id)
  await compile(workspace)
  return intent
}

/** Throws when an intent can't go to a status. */
export function refuseIllegal(intent: Intent, to: Status): void {
  const refusal = whyNot(intent, to)
  if (refusal) throw new KotefError('illegal-transition', refusal.why, { hint: refusal.hint })
}

function timeOf({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}
