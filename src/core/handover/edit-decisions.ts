import { correctionIn, ONWARD, QUEUED, withCorrections } from './corrections.ts'
import { requestsChanges } from './approval-history.ts'
import { REVIEW_STRATEGIES } from './guards.ts'
import { isNoDeferral } from './person-gates.ts'
import { designBlobs, findDecision, type HandoverSession, isApproval } from './handover-session.ts'
import { refusedEdit, type SessionEdit, statusEdit, statusOf } from './session-edit.ts'
import { DESIGN_GATE, type StatusFile, STRATEGY_GATE, type UserDecision } from './status-file.ts'

/** A question to the user, and what it is about. */
export type Question = { readonly question: string; readonly security?: boolean; readonly criterion?: string }

/** Asks the user: the session waits in ASK_USER until each question has an end. */
export function askUser(session: HandoverSession, questions: readonly Question[], now: string): SessionEdit {
  const status = statusOf(session)
  if (session.state === null || status.current_state === 'BLOCKED' || session.state === 'DONE')
    throw refusedEdit(`${session.name} is in ${status.current_state}, where nothing is asked.`)
  const context = session.state
  const numbers = status.user_decisions.map(it => Number(/^UD-(\d+)$/.exec(it.decision_id)?.[1] ?? 0))
  const highest = Math.max(0, ...numbers)
  const asked = questions.map((it, n) => pendingDecision(`UD-${highest + n + 1}`, { ...it, context, now }))
  const user_decisions = [...status.user_decisions, ...asked]
  return statusEdit({ ...status, current_state: 'ASK_USER', user_decisions }, now)
}

const GATES = {
  design: { id: DESIGN_GATE, state: 'APPROVE_DESIGN', question: 'Is the design approved?' },
  strategy: { id: STRATEGY_GATE, state: 'REVIEW_STRATEGY', question: 'Review per batch, or once at the end?' },
} as const

export type GateName = keyof typeof GATES

/** The answers that the gates take, for who is asked. */
export const GATE_ANSWERS: Readonly<Record<string, string>> = {
  [DESIGN_GATE]: 'approved, or changes-requested: what',
  [STRATEGY_GATE]: REVIEW_STRATEGIES.join(' or '),
}

/** Asks the question of a gate, again if it was asked before: it stays one decision. */
export function askGate(session: HandoverSession, name: GateName, now: string): SessionEdit {
  const status = statusOf(session)
  const { id, state, question } = GATES[name]
  if (status.current_state !== state)
    throw refusedEdit(`${session.name} is in ${status.current_state}, not in ${state}.`)
  const correction = correctionIn(status)
  if (name === 'design' && (correction === 'queued' || correction === 'dispatched'))
    throw refusedEdit(`The corrections of the design are ${correction}, not completed.`, NEXT_CORRECTION[correction])
  const known = findDecision(session, id)
  const asked = pendingDecision(id, { question: known?.question ?? question, context: state, now })
  const others = status.user_decisions.filter(it => it.decision_id !== id)
  return statusEdit({ ...status, user_decisions: [...others, asked] }, now)
}

const NEXT_CORRECTION = {
  queued: 'Begin them: `kotef handover advance DESIGN --agent Architect`',
  dispatched: ONWARD.dispatched,
} as const

/** What came of some answers: the edit, and the questions that have to be asked again. */
export type Answered = { readonly edit: SessionEdit; readonly again: readonly string[] }

/** Writes answers. Questions without one are cancelled, but for those of security and gates: they are asked again. */
export function answerUser(
  session: HandoverSession,
  answers: ReadonlyMap<string, string | null>,
  now: string,
): Answered {
  const status = statusOf(session)
  for (const id of answers.keys()) pendingOrThrow(session, id)
  const again: string[] = []
  const history: string[] = []
  const user_decisions = status.user_decisions.map(it => {
    if (!answers.has(it.decision_id)) return it
    const ended = endedBy(session, it, { answer: answers.get(it.decision_id) ?? null, now })
    if (ended === null) again.push(it.decision_id)
    else if (it.decision_id === DESIGN_GATE && requestsChanges(ended.answer ?? '')) history.push(historyOf(ended, now))
    return ended ?? it
  })
  const answered = withCorrection({ ...status, user_decisions }, { isRequested: history.length > 0, session })
  const edit = statusEdit(backWhenEnded(answered), now)
  return { edit: history.length > 0 ? { ...edit, history: history.join('') } : edit, again }
}

type Ending = { readonly answer: string | null; readonly now: string }

// Null for a question that stays open.
function endedBy(session: HandoverSession, it: UserDecision, { answer, now }: Ending): UserDecision | null {
  const text = canonicalAnswer(it.decision_id, answer?.trim() ?? '')
  if (isGateAnswerWrong(it.decision_id, text)) return null
  if (text !== '') {
    const approved = it.decision_id === DESIGN_GATE && isApproval(text) ? { approved: designBlobs(session) } : {}
    return { ...it, status: 'answered', answer: text, resolved_at: now, resolution_reason: null, ...approved }
  }
  return it.security ? null : { ...it, ...cancelled('no response provided', now) }
}

function isGateAnswerWrong(id: string, text: string): boolean {
  if (id === DESIGN_GATE) return !isApproval(text) && !requestsChanges(text)
  return id === STRATEGY_GATE && !REVIEW_STRATEGIES.includes(text)
}

// People write the two strategies in several ways; anything else is asked again.
function canonicalAnswer(id: string, text: string): string {
  const word = text.toLowerCase().replace(/[\s_]+/g, '-')
  return id === STRATEGY_GATE && REVIEW_STRATEGIES.includes(word) ? word : text
}

function historyOf({ decision_id, answer, state_context }: UserDecision, now: string): string {
  return `${JSON.stringify({ at: now, decision_id, answer, state_context })}\n`
}

function withCorrection(
  status: StatusFile,
  { isRequested, session }: { readonly isRequested: boolean; readonly session: HandoverSession },
): StatusFile {
  const gate = status.user_decisions.find(it => it.decision_id === DESIGN_GATE)
  const isApproved = gate?.status === 'answered' && findDecision(session, DESIGN_GATE)?.status === 'pending'
  if (!isRequested && !isApproved) return status
  const ended = { ...status.gate_tracking?.APPROVE_DESIGN, correction_status: 'none' as const }
  return withCorrections(status, isRequested ? QUEUED : ended)
}

/** How a question ends without an answer. */
export type EndWithoutAnswer = { readonly how: 'cancelled' | 'skipped'; readonly reason: string }

/** Ends a question without an answer. The workflow can't go on without the answer of a gate: it is BLOCKED. */
export function endQuestion(
  session: HandoverSession,
  id: string,
  { how, reason, now }: EndWithoutAnswer & { readonly now: string },
): SessionEdit {
  const status = statusOf(session)
  const asked = pendingOrThrow(session, id)
  if (asked.security && (how === 'skipped' || isNoDeferral(reason)))
    throw refusedEdit(
      `${id} is a question of security: the user answers it, or defers it with a reason.`,
      `Ask again, or: \`kotef handover cancel ${id} --reason 'user deferred: why'\``,
    )
  const user_decisions = status.user_decisions.map(it =>
    it.decision_id === id ? { ...it, ...cancelled(reason, now), status: how } : it,
  )
  const ended = { ...status, user_decisions }
  if (id !== DESIGN_GATE && id !== STRATEGY_GATE) return statusEdit(backWhenEnded(ended), now)
  const blocked = { current_state: 'BLOCKED', blocked_from: status.current_state, blocker: MISSING_DECISION } as const
  return statusEdit({ ...ended, ...blocked }, now)
}

const MISSING_DECISION = 'mandatory_user_decision_missing'

function cancelled(reason: string, now: string) {
  return { status: 'cancelled', answer: null, resolved_at: now, resolution_reason: reason } as const
}

// The state that was interrupted goes on when no question is open.
function backWhenEnded(status: StatusFile): StatusFile {
  const isOpen = status.user_decisions.some(it => it.status === 'pending')
  if (isOpen || status.current_state !== 'ASK_USER') return status
  const last = [...status.user_decisions].sort((a, b) => Date.parse(a.asked_at) - Date.parse(b.asked_at)).at(-1)
  return last ? { ...status, current_state: last.state_context } : status
}

type Asked = Question & { readonly context: UserDecision['state_context']; readonly now: string }

function pendingDecision(id: string, { question, security, criterion, context, now }: Asked): UserDecision {
  return {
    decision_id: id,
    question,
    status: 'pending',
    answer: null,
    asked_at: now,
    resolved_at: null,
    state_context: context,
    resolution_reason: null,
    ...(security ? { security } : {}),
    ...(criterion === undefined ? {} : { criterion }),
  }
}

function pendingOrThrow(session: HandoverSession, id: string): UserDecision {
  const found = findDecision(session, id)
  if (found?.status === 'pending') return found
  throw refusedEdit(found ? `${id} is ${found.status} already.` : `${session.name} has no question ${id}.`)
}
