import { type Intent, INTENT_STATUSES, type IntentStatus, successorOf } from './intent.ts'

const NEXT_STATUSES: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  PENDING: ['IN_PROGRESS', 'ABANDONED'],
  IN_PROGRESS: ['BLOCKED', 'COMPLETED', 'ABANDONED'],
  BLOCKED: ['IN_PROGRESS', 'ABANDONED'],
  COMPLETED: [],
  ABANDONED: [],
}

/** True when the status of an intent may change so. Keeping the same status is not a transition. */
export function isLegalTransition({ from, to }: { readonly from: IntentStatus; readonly to: IntentStatus }): boolean {
  return NEXT_STATUSES[from].includes(to)
}

/** True while work on an intent is wanted: commits may cite it, and sessions may select it. */
export function isOpen(status: IntentStatus): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS'
}

/** True for a status that ends the work: no transition leads out of it. A person can reopen a completed intent. */
export function isFinalStatus(status: IntentStatus): boolean {
  return NEXT_STATUSES[status].length === 0
}

/** The intents with their live statuses: an open intent that somebody works on is IN_PROGRESS. */
export function withLiveStatuses<T extends Pick<Intent, 'id' | 'status'>>(
  intents: readonly T[],
  inWork: ReadonlySet<string>,
): T[] {
  return intents.map(it => (isOpen(it.status) && inWork.has(it.id) ? { ...it, status: 'IN_PROGRESS' } : it))
}

/** True for a status at which the sessions of an intent end. */
export function endsSession(status: IntentStatus): boolean {
  return status === 'BLOCKED' || isFinalStatus(status)
}

/** Why an intent can't change to a status, and what to do instead; null when it can. */
export function transitionRefusal(
  { id, status, standing, related_specs = [] }: Pick<Intent, 'id' | 'status' | 'standing'> & Partial<Intent>,
  to: IntentStatus,
): { why: string; hint: string } | null {
  if (standing && to !== 'ABANDONED') return { why: `${id} ${STANDING}, and can't become ${to}.`, hint: STANDING_HINT }
  if (isLegalTransition({ from: status, to })) return null
  const why = status === to ? `${id} is ${status} already.` : `${id} is ${status} and can't become ${to}.`
  return { why, hint: transitionHint(id, status, successorOf({ related_specs })) }
}

/** The ids of an intent's dependencies that are not completed. */
export function unmetDependencies(intent: Intent, all: readonly Intent[]): string[] {
  const done = new Set(all.filter(it => it.status === 'COMPLETED').map(it => it.id))
  return intent.depends_on.filter(id => !done.has(id))
}

const STANDING = 'is a standing intent, for small commits of people'
const STANDING_HINT = "Add an intent for the work: `kotef intent add --name 'what it is for' --scope 'src/**'`"

/** Why no session can select an intent, as a predicate (`is BLOCKED`); null when one can. */
export function selectionRefusal(intent: Intent, all: readonly Intent[]): string | null {
  if (!isOpen(intent.status)) return `is ${intent.status}`
  if (intent.standing) return STANDING
  const unmet = unmetDependencies(intent, all)
  return unmet.length === 0 ? null : `waits for ${unmet.join(', ')}`
}

function transitionHint(id: string, status: IntentStatus, successor: string | null): string {
  const next = NEXT_STATUSES[status]
  const start = next.includes('IN_PROGRESS') ? ` Start it: \`kotef intent start ${id}\`` : ''
  if (!isFinalStatus(status)) return `From ${status} it can become ${next.join(' or ')}.${start}`
  if (successor !== null) return `${successor} goes on with its work: \`kotef intent start ${successor}\``
  const reopened =
    status === 'COMPLETED' ? `, unless a person reopens it: \`kotef intent reopen ${id} --reason why\`` : ''
  return `${status} is final${reopened}. Open a new intent: \`${continueCommand(id, status)}\``
}

/** The command that adds an intent in place of a finished one; one that depends on an abandoned one can't start. */
export function continueCommand(id: string, status: IntentStatus): string {
  const after = status === 'COMPLETED' ? ` --depends-on ${id}` : ''
  return `kotef intent add --name 'what is wanted' --scope 'src/**'${after}`
}

/** The ids of the intents that two registries do not have alike. */
export function changedIntents(before: readonly Intent[], after: readonly Intent[]): string[] {
  const [one, other] = [before, after].map(of => new Map(of.map(it => [it.id, JSON.stringify(it)])))
  return [...new Set([...before, ...after].map(it => it.id))].filter(id => one?.get(id) !== other?.get(id))
}

/** True when two registries differ only in statuses, and each new status is reachable by legal transitions. */
export function differOnlyByTransitions(before: readonly Intent[], after: readonly Intent[]): boolean {
  return before.length === after.length && before.every((intent, n) => isTransition(intent, after[n]))
}

function isTransition(before: Intent, after: Intent | undefined): boolean {
  if (!after) return false
  const moved = { ...before, status: after.status, updated_at: after.updated_at }
  return JSON.stringify(moved) === JSON.stringify(after) && reachableStatuses(before.status).has(after.status)
}

// Several transitions may lie between two commits. An open intent is PENDING in a registry.
function reachableStatuses(from: IntentStatus): ReadonlySet<IntentStatus> {
  const reached = new Set([from])
  for (const at of reached) for (const to of INTENT_STATUSES) if (isLegalTransition({ from: at, to })) reached.add(to)
  return reached.has('IN_PROGRESS') ? reached.add('PENDING') : reached
}
