import { writtenInProgress } from '../intents/registry.ts'
import { isOpen, transitionRefusal } from '../intents/lifecycle.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { intentsWithLiveStatus } from '../sessions/intents-in-work.ts'
import { type IntentFields, withFields, withIntent, withStatus } from '../intents/edit-yaml.ts'
import { findIntent, type Intent, type IntentStatus, nextIntentId, type Criterion } from '../intents/intent.ts'
import { KotefError } from '../findings/failure.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/judge-new-commits.ts'
import { takenIds } from '../registry/taken-ids.ts'
import { editRegistry, type RegistryEdit } from '../registry/edit-registry.ts'
import { endSessions, liveSessions } from '../sessions/live-sessions.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { Finding } from '../findings/finding.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { attestedNow } from '../registry/attestations.ts'
import { runChecks } from '../registry/run-checks.ts'

/** Adds a PENDING intent. Without an id, it gets the next free number. */
export async function addIntent(workspace: Workspace, options: IntentFields & { id: string | null }): Promise<Intent> {
  let { id } = options
  const taken = id === null ? await takenIds(workspace) : []
  const ownFile = (await workspace.files.modifiedAt(layoutOf(workspace).intents)) !== null
  const edit: RegistryEdit = (text, before) => {
    id ??= nextIntentId(before, taken, options)
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

/** A transition: the intent, its new status, and the reason that a person gave. */
export type StatusChange = { readonly id: string; readonly to: IntentStatus; readonly reason: string | null }

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
  { id, to, reason, mayStay }: StatusChange & { mayStay: boolean },
): Promise<Intent> {
  const { status } = await currentIntent(workspace, id)
  let from: IntentStatus = to
  const edit: RegistryEdit = (text, before) => {
    const declared = findIntent(before, id)
    const current = isOpen(declared.status) && isOpen(status) ? { ...declared, status } : declared
    from = current.status
    if (mayStay && from === to) return text
    refuseIllegalTransition(current, to)
    return withStatus(text, id, to === 'IN_PROGRESS' ? 'PENDING' : to)
  }
  return findIntent(await editRegistry(workspace, edit, () => transition({ id, from, to, reason })), id)
}

// An earlier kotef wrote into the registry that work on an intent had begun, so such an intent can be completed.
async function currentIntent(workspace: Workspace, id: string): Promise<Intent> {
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

// Throws when a transition of an intent is not legal.
function refuseIllegalTransition(intent: Intent, to: IntentStatus): void {
  const refusal = transitionRefusal(intent, to)
  if (refusal) throw new KotefError('illegal-transition', refusal.why, { hint: refusal.hint })
}

function nowAsIso({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString()
}

/** Whether an acceptance criterion is met: a check by its exit code, any other criterion by a person's attestation. */
export type CriterionResult = { readonly criterion: string; readonly met: boolean; readonly why: string }

/** A completed intent, or findings for the criteria that are not met. */
type Completion = {
  readonly intent: Intent
  readonly results: readonly CriterionResult[]
  readonly findings: readonly Finding[]
}

type CompletionOptions = {
  readonly id: string
  readonly reason: string | null
  /** A person attests that every criterion without a check is met. */
  readonly attested: boolean
  readonly env: NodeJS.ProcessEnv
  /** Called before each check runs. */
  readonly onCheckStart: (command: string) => void
}

/** Completes an intent when every check passes in the worktree, and a person attests the other criteria. */
export async function completeIntent(workspace: Workspace, options: CompletionOptions): Promise<Completion> {
  const intent = await currentIntent(workspace, options.id)
  if (await wasInterrupted(workspace, intent))
    return { intent: await finishIntent(workspace, options), results: [], findings: [] }
  refuseIllegalTransition(intent, 'COMPLETED')
  const results: CriterionResult[] = []
  for await (const it of criterionResults(workspace, requiredCriteria(intent), options)) results.push(it)
  const findings = results.filter(it => !it.met).map(it => unmetFinding(options.id, it))
  if (findings.length > 0) return { intent, results, findings }
  if (options.attested)
    await appendRecords(workspace, [
      { event: { event: 'attested', intent: options.id, criteria: attestableCriteria(intent) } },
    ])
  return { intent: await finishIntent(workspace, options), results, findings }
}

// A completed intent with a live session: an earlier call was interrupted before it ended the sessions.
async function wasInterrupted(workspace: Workspace, { id, status }: Intent): Promise<boolean> {
  return status === 'COMPLETED' && (await liveSessions(workspace)).some(it => it.intent === id)
}

function finishIntent(workspace: Workspace, options: CompletionOptions): Promise<Intent> {
  return stopIntent(workspace, { ...options, to: 'COMPLETED' })
}

const NO_CRITERIA = 'The work is done (the intent names no criteria)'

// An intent without criteria still needs a person, who attests that the work is done.
function requiredCriteria({ acceptance_criteria }: Intent): readonly Criterion[] {
  return acceptance_criteria.length > 0 ? acceptance_criteria : [NO_CRITERIA]
}

/** The criteria of an intent that a person attests. */
export function attestableCriteria(intent: Intent): string[] {
  return requiredCriteria(intent).filter(it => typeof it === 'string')
}

async function* criterionResults(
  workspace: Workspace,
  criteria: readonly Criterion[],
  { id, env, attested, onCheckStart }: CompletionOptions,
): AsyncGenerator<CriterionResult, void> {
  const commands = criteria.filter(it => typeof it !== 'string')
  const manual = attested ? [] : criteria.filter(it => typeof it === 'string')
  const { criteria: known } = await attestedNow(workspace, { intent: id, criteria: manual }, env)
  const checks = runChecks(workspace, commands, { intent: id, env, usePasses: false, running: onCheckStart })
  for (const criterion of criteria) {
    if (typeof criterion === 'string') {
      const met = attested || known.includes(criterion)
      yield { criterion, met, why: met ? 'attested' : 'not attested' }
    } else
      for (const it of await nextOf(checks)) yield { criterion: it.command, met: it.status === 'passed', why: it.why }
  }
}

async function nextOf<T>(items: AsyncIterator<T, void>): Promise<T[]> {
  const { value, done } = await items.next()
  return done ? [] : [value]
}

function unmetFinding(id: string, { criterion, why }: CriterionResult): Finding {
  const hint =
    why === 'not attested'
      ? `Attest it with \`kotef attest ${id}\`, or \`kotef intent complete ${id} --attest\`.`
      : 'Make it pass.'
  return { rule: 'criteria-met', level: 'block', path: null, message: `${criterion}: ${why}`, hint }
}
