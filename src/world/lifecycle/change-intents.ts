import { writtenInProgress } from '../../core/intents/registry.ts'
import { isOpen, transitionRefusal } from '../../core/intents/lifecycle.ts'
import type { LedgerEvent } from '../../core/ledger/event.ts'
import { intentsWithLiveStatus } from '../intents/sessions/intents-in-work.ts'
import { type IntentFields, withFields, withIntent, withStatus } from '../../core/intents/edit-yaml.ts'
import { findIntent, type Intent, type IntentStatus, nextIntentId, SUCCESSOR } from '../../core/intents/intent.ts'
import { KotefError } from '../../core/base/failure.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/judge-new-commits.ts'
import { takenIds } from '../intents/registry/taken-ids.ts'
import { editRegistry, type RegistryEdit } from '../intents/registry/edit-registry.ts'
import { endSessions, liveSessions } from '../intents/sessions/live-sessions.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { loadConfig, loadRegistry } from '../intents/policy/load-policy.ts'
import { appendRecords } from '../ledger/append-records.ts'

/** Adds a PENDING intent. Without an id, it gets the next free number. */
export async function addIntent(workspace: Workspace, options: IntentFields & { id: string | null }): Promise<Intent> {
  let { id } = options
  const taken = id === null ? await takenIds(workspace) : []
  const { id_prefix: prefix } = await loadConfig(workspace)
  const ownFile = (await workspace.files.modifiedAt(layoutOf(workspace).intents)) !== null
  const edit: RegistryEdit = (text, before) => {
    id ??= nextIntentId(before, taken, { ...options, prefix })
    const intent = { ...options, id, status: 'PENDING', created_at: nowAsIso(workspace) } as const
    return withIntent(text, intent, { ownFile })
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
    return withFields(text, id, fields)
  }
  const intents = await editRegistry(workspace, edit, () => ({ event: 'intent-edited', intent: id, fields: names }))
  await compilePolicy(workspace)
  return findIntent(intents, id)
}

/** A transition: the intent, its live status if the caller knows it, its new one, and a person's reason. */
export type StatusChange = {
  readonly id: string
  readonly from?: IntentStatus
  readonly to: IntentStatus
  readonly reason: string | null
  /** The intent that goes on with the work; of an abandoned one only. */
  readonly successor?: string | null
}

/**
 * Begins or resumes the work on an intent, which is not written into the registry: who works is a matter of claims and
 * sessions. Only a BLOCKED intent is opened there. `intent` is the live one, from before the caller claimed it.
 */
export async function beginWork(workspace: Workspace, { id, status }: Intent): Promise<Intent> {
  if (status === 'BLOCKED') await declareStatus(workspace, { id, to: 'IN_PROGRESS', reason: null, mayStay: true })
  else if (status === 'PENDING')
    await appendRecords(workspace, [{ event: transition({ id, from: status, to: 'IN_PROGRESS', reason: null }) }])
  const { intents } = await loadRegistry(workspace)
  return { ...findIntent(intents, id), status: 'IN_PROGRESS' }
}

function transition({ id, from, to, reason }: StatusChange & { from: IntentStatus }): LedgerEvent {
  return { event: 'transition', intent: id, from, to, ...(reason === null ? {} : { reason }) }
}

async function declareStatus(
  workspace: Workspace,
  { id, from: known, to, reason, mayStay, successor = null }: StatusChange & { mayStay: boolean },
): Promise<Intent> {
  const status = known ?? (await currentIntent(workspace, id)).status
  let from: IntentStatus = to
  const edit: RegistryEdit = (text, before) => {
    const declared = findIntent(before, id)
    const current = isOpen(declared.status) && isOpen(status) ? { ...declared, status } : declared
    from = current.status
    if (mayStay && from === to) return text
    refuseIllegalTransition(current, to)
    const moved = withStatus(text, id, to === 'IN_PROGRESS' ? 'PENDING' : to)
    return successor === null ? moved : withFields(moved, id, withSuccessor(declared, findIntent(before, successor)))
  }
  return findIntent(await editRegistry(workspace, edit, () => transition({ id, from, to, reason })), id)
}

function withSuccessor({ id, related_specs }: Intent, successor: Intent): IntentFields {
  if (successor.id === id) throw new KotefError('usage', `${id} can't be its own successor.`)
  const others = related_specs.filter(it => it.type !== SUCCESSOR)
  return { related_specs: [...others, { type: SUCCESSOR, url: successor.id }] }
}

/** The live intent. An earlier kotef wrote into the registry that its work had begun, and it can be completed. */
export async function currentIntent(workspace: Workspace, id: string): Promise<Intent> {
  const { text, intents } = await loadRegistry(workspace)
  const intent = findIntent(await intentsWithLiveStatus(workspace, intents), id)
  return writtenInProgress(text).has(id) ? { ...intent, status: 'IN_PROGRESS' } : intent
}

/** Moves an intent to a status in which no session may work on it, and ends its sessions. */
export async function stopIntent(workspace: Workspace, move: StatusChange): Promise<Intent> {
  // A session on an intent with this status is left from a call that was interrupted. This call completes it.
  const mayStay = (await liveSessions(workspace)).some(it => it.intent === move.id)
  const intent = await declareStatus(workspace, { ...move, mayStay })
  await tryJudgeNewCommits(workspace)
  await endSessions(workspace, it => it.intent === move.id)
  await compilePolicy(workspace)
  return intent
}

/** Opens a completed intent again, because a person found that its work goes on. */
export async function reopenIntent(workspace: Workspace, id: string, reason: string): Promise<Intent> {
  const edit: RegistryEdit = (text, before) => {
    const { status } = findIntent(before, id)
    if (status === 'COMPLETED') return withStatus(text, id, 'PENDING')
    throw new KotefError('illegal-transition', `${id} is ${status}, and only a COMPLETED intent can be reopened.`)
  }
  const event = transition({ id, from: 'COMPLETED', to: 'IN_PROGRESS', reason })
  const intents = await editRegistry(workspace, edit, () => event)
  await compilePolicy(workspace)
  return findIntent(intents, id)
}

/** Throws when no work may begin on an intent. */
export function refuseUnstartable(intent: Intent): void {
  if (!isOpen(intent.status) || intent.standing) refuseIllegalTransition(intent, 'IN_PROGRESS')
}

/** Throws when a transition of an intent is not legal. */
export function refuseIllegalTransition(intent: Intent, to: IntentStatus): void {
  const refusal = transitionRefusal(intent, to)
  if (refusal) throw new KotefError('illegal-transition', refusal.why, { hint: refusal.hint })
}

function nowAsIso({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}
