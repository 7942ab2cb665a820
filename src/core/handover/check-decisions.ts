import { type HandoverProblem, problemsOf } from './handover-problem.ts'
import { designVerdict, type HandoverSession, isApproval, sessionPath } from './handover-session.ts'
import { requestsChanges } from './approval-history.ts'
import { REVIEW_STRATEGIES } from './guards.ts'
import { isNoDeferral } from './person-gates.ts'
import { DESIGN_GATE, STATUS_FILE, STRATEGY_GATE, type UserDecision } from './status-file.ts'

/** Problems of the decisions of a session, one by one and together. */
export function checkDecisions(session: HandoverSession): HandoverProblem[] {
  const { status } = session
  if (status === null) return []
  const decisions = status.user_decisions
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  const ofEach = decisions.flatMap(it => recordFlaws(it).map(flaw => decisionProblem(at, it, flaw)))
  const ids = decisions.map(it => it.decision_id)
  const repeated = decisions.filter((it, n) => ids.indexOf(it.decision_id) < n)
  const twice = repeated.map(it =>
    decisionProblem(at, it, ['decision_id', 'each id once', `a second ${it.decision_id}`]),
  )
  const pending = decisions.filter(it => it.status === 'pending')
  const isAsking = ['ASK_USER', 'APPROVE_DESIGN', 'REVIEW_STRATEGY', 'BLOCKED'].includes(status.current_state)
  const unasked = isAsking
    ? []
    : pending.map(it => decisionProblem(at, it, ['status', `an ended decision in ${status.current_state}`, 'pending']))
  return [...ofEach, ...twice, ...unasked, ...historyProblems(session)]
}

type Flaw = readonly [field: string, expected: string, found: string]

function decisionProblem(at: ReturnType<typeof problemsOf>, it: UserDecision, flaw: Flaw): HandoverProblem {
  const [field, expected, found] = flaw
  return at('handover-decision', `user_decisions/${it.decision_id}/${field}`, { expected, found })
}

// The rules for a decision by itself, of which each status has its own.
function recordFlaws(it: UserDecision): Flaw[] {
  return [...statusFlaws(it), ...securityFlaws(it), ...contextFlaws(it), ...timeFlaws(it), ...gateFlaws(it)]
}

// The user may defer a question of security, and says so. Nobody else ends one without an answer.
function securityFlaws({ security, status, resolution_reason: reason }: UserDecision): Flaw[] {
  if (security !== true) return []
  if (status === 'skipped') return [['status', 'answered or cancelled in a question of security', status]]
  if (status !== 'cancelled' || !isNoDeferral(reason ?? '')) return []
  return [['resolution_reason', 'why the user defers a question of security', JSON.stringify(reason)]]
}

function statusFlaws({ status, answer, resolved_at, resolution_reason }: UserDecision): Flaw[] {
  const fields = { answer, resolved_at, resolution_reason }
  if (status === 'pending') {
    const filled = Object.entries(fields).filter(([, value]) => value !== null)
    return filled.map(([field, value]) => [field, 'null in a pending decision', JSON.stringify(value)])
  }
  const lacks: Flaw[] = resolved_at === null ? [['resolved_at', `a time in a decision that is ${status}`, 'null']] : []
  if (status === 'answered') return isBlank(answer) ? [...lacks, ['answer', 'a text', JSON.stringify(answer)]] : lacks
  return isBlank(resolution_reason)
    ? [...lacks, ['resolution_reason', `the reason why it is ${status}`, JSON.stringify(resolution_reason)]]
    : lacks
}

function contextFlaws({ decision_id, state_context }: UserDecision): Flaw[] {
  const gateState = GATE_STATES[decision_id]
  if (gateState !== undefined) return state_context === gateState ? [] : [['state_context', gateState, state_context]]
  return state_context === 'ASK_USER' ? [['state_context', 'the state that the question interrupted', 'ASK_USER']] : []
}

const GATE_STATES: Readonly<Record<string, string>> = {
  [DESIGN_GATE]: 'APPROVE_DESIGN',
  [STRATEGY_GATE]: 'REVIEW_STRATEGY',
}

function timeFlaws({ asked_at, resolved_at }: UserDecision): Flaw[] {
  if (resolved_at === null || Date.parse(resolved_at) >= Date.parse(asked_at)) return []
  return [['resolved_at', `a time from ${asked_at} on`, resolved_at]]
}

function gateFlaws({ decision_id, status, answer }: UserDecision): Flaw[] {
  if (status !== 'answered' || answer === null) return []
  if (decision_id === DESIGN_GATE && !isApproval(answer) && !requestsChanges(answer))
    return [['answer', 'a text that begins with approved, or with changes-requested: and what', JSON.stringify(answer)]]
  if (decision_id === STRATEGY_GATE && !REVIEW_STRATEGIES.includes(answer))
    return [['answer', REVIEW_STRATEGIES.join(' or '), JSON.stringify(answer)]]
  return []
}

// A request for changes is kept where no later answer overwrites it.
function historyProblems(session: HandoverSession): HandoverProblem[] {
  const gate = session.status?.user_decisions.find(it => it.decision_id === DESIGN_GATE)
  const answer = gate?.answer ?? null
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  if (answer !== null && requestsChanges(answer) && !session.history.some(it => it.answer === answer)) {
    const expected = 'this answer in approve-design-history.jsonl'
    return [at('handover-approval', `user_decisions/${DESIGN_GATE}/answer`, { expected, found: 'none' })]
  }
  if (designVerdict(session) !== 'void') return []
  const expected = 'the files that were approved; ask for the approval again'
  return [at('handover-approval', `user_decisions/${DESIGN_GATE}/approved`, { expected, found: 'other content' })]
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === ''
}
