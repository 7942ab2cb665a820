import { HISTORY_FILE, requestsChanges } from './approval-history.ts'
import { checkCorrections } from './corrections.ts'
import type { HandoverAgent } from './agents.ts'
import { type HandoverProblem, problemsOf } from './handover-problem.ts'
import {
  designVerdict,
  type HandoverSession,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from './handover-session.ts'
import { GUARD_WORDS, guardsOf } from './guards.ts'
import { STATUS_FILE, type UserDecision } from './status-file.ts'
import type { TaskFacts } from './task-gates.ts'
import { checkTaskChanges } from './task-lifecycle.ts'
import { findWay, FIX_LOOPS, type Guard, type MainState } from './workflow.ts'

/** A change of a session: its files before, or null for a new session, and after; null for one that is removed. */
export type HandoverChange = {
  readonly before: SessionFiles | null
  readonly after: SessionFiles | null
  /** The role of the agent that made it; null where that is unknown. */
  readonly role: HandoverAgent | null
  /** By what the gates of the tasks are judged that it completes. */
  readonly gates: TaskFacts
}

/** Checks whether a session may change like that. What its files say afterwards is another question. */
export function checkHandoverChange({ before, after, role, gates }: HandoverChange): HandoverProblem[] {
  const old = before && readHandoverSession(before).session
  const name = (after ?? before)?.name ?? ''
  if (old?.status?.current_state === 'DONE') return readOnlyProblems(name, { before, after })
  if (after === null) return []
  const { session } = readHandoverSession(after)
  if (session.status === null) return []
  return [
    ...transitionProblems(old, session),
    ...decisionChanges(old, session),
    ...historyChanges(before, after),
    ...checkCorrections(old, session),
    ...retryChanges(old, session),
    ...checkTaskChanges(old, session, { role, gates }),
  ]
}

function readOnlyProblems(
  name: string,
  { before, after }: Pick<HandoverChange, 'before' | 'after'>,
): HandoverProblem[] {
  const files = new Set([...(before?.texts.keys() ?? []), ...(after?.texts.keys() ?? [])])
  const changed = [...files].filter(it => before?.texts.get(it) !== after?.texts.get(it))
  const expected = 'a session that is over to stay as it is'
  return changed.map(it =>
    problemsOf(sessionPath(name, it))('handover-read-only', null, { expected, found: 'a change' }),
  )
}

function transitionProblems(old: HandoverSession | null, session: HandoverSession): HandoverProblem[] {
  const { state, mode } = session
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  if (old?.mode === 'full' && mode === 'lean' && old.status !== null)
    return [at('handover-transition', 'mode', { expected: 'a session that stays full', found: 'lean' })]
  if (state === null) return []
  const guards = guardsOf(session)
  // An approval of other content is a problem of its own.
  const holds = (it: Guard): boolean => guards(it) || (it === 'design-approved' && designVerdict(session) === 'void')
  const starts: MainState[] = old?.state ? [old.state] : ['INTAKE', 'INTAKE_LEAN']
  // A lean session that turned out to be complex goes on in full.
  const ways = starts.map(from => findWay({ from, to: state, modes: modesOf(old, session) }, holds))
  if (ways.some(it => it.isLegal)) return []
  const unmet = [...new Set(ways.flatMap(it => it.unmet))]
  const from = old?.state ?? 'the beginning'
  const wanted = unmet.map(it => GUARD_WORDS[it]).join('; or ')
  const expected = wanted === '' ? `a legal transition from ${from}` : `for the way from ${from}: ${wanted}`
  return [at('handover-transition', 'current_state', { expected, found: state })]
}

function modesOf(old: HandoverSession | null, { mode }: HandoverSession): readonly HandoverSession['mode'][] {
  return old?.mode === 'lean' && mode === 'full' ? ['lean', 'full'] : [mode]
}

function decisionChanges(old: HandoverSession | null, session: HandoverSession): HandoverProblem[] {
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  const now = session.status?.user_decisions ?? []
  const changed = (old?.status?.user_decisions ?? []).flatMap(before => {
    const after = now.find(it => it.decision_id === before.decision_id)
    const pointer = `user_decisions/${before.decision_id}`
    if (!after) return [at('handover-decision', pointer, { expected: 'the decision to stay', found: 'none' })]
    const flaw = decisionFlaw(before, after, session)
    return flaw === null ? [] : [at('handover-decision', `${pointer}/${flaw.field}`, flaw)]
  })
  return [...changed, ...numberingFlaws(old, now, at)]
}

type ChangeFlaw = { readonly field: string; readonly expected: string; readonly found: string }

function decisionFlaw(before: UserDecision, after: UserDecision, session: HandoverSession): ChangeFlaw | null {
  if (before.question !== after.question && !isGate(before))
    return { field: 'question', expected: before.question, found: after.question }
  if (before.status === 'pending') return null
  const isSame = (['status', 'answer', 'resolved_at', 'resolution_reason'] as const).every(
    it => before[it] === after[it],
  )
  if (isSame) return null
  // The question of a gate is asked again: the answer before is kept when it requested changes.
  if (!isGate(before)) return { field: 'status', expected: `${before.status}: an end is final`, found: after.status }
  const answer = before.answer ?? ''
  const isKept = !requestsChanges(answer) || session.history.some(it => it.answer === answer)
  return isKept ? null : { field: 'answer', expected: `the answer before it in ${HISTORY_FILE}`, found: 'none' }
}

function isGate({ decision_id }: UserDecision): boolean {
  return !/^UD-\d+$/.test(decision_id)
}

// Numbers go on from the highest one, so that an id never means two questions.
function numberingFlaws(
  old: HandoverSession | null,
  now: readonly UserDecision[],
  at: ReturnType<typeof problemsOf>,
): HandoverProblem[] {
  const known = numbersOf(old?.status?.user_decisions ?? [])
  const added = numbersOf(now).filter(it => !known.includes(it))
  const highest = Math.max(0, ...known)
  return added.flatMap((number, n) => {
    const expected = highest + n + 1
    if (number === expected) return []
    return [
      at('handover-decision', `user_decisions/UD-${number}`, { expected: `UD-${expected}`, found: `UD-${number}` }),
    ]
  })
}

function numbersOf(decisions: readonly UserDecision[]): number[] {
  return decisions.flatMap(it => Number(/^UD-(\d+)$/.exec(it.decision_id)?.[1] ?? NaN)).filter(it => !Number.isNaN(it))
}

function historyChanges(before: SessionFiles | null, after: SessionFiles): HandoverProblem[] {
  const old = before?.texts.get(HISTORY_FILE) ?? ''
  const now = after.texts.get(HISTORY_FILE) ?? ''
  if (now.startsWith(old)) return []
  const expected = 'lines that are only added'
  return [problemsOf(sessionPath(after.name, HISTORY_FILE))('handover-approval', null, { expected, found: 'a change' })]
}

// A count goes down when the user has decided how to go on.
function retryChanges(old: HandoverSession | null, session: HandoverSession): HandoverProblem[] {
  const at = problemsOf(sessionPath(session.name, STATUS_FILE))
  const answered = (session.status?.user_decisions ?? [])
    .filter(it => it.status === 'answered')
    .map(it => it.state_context)
  const tasks = new Set([...(old?.tasks?.tasks ?? []), ...(session.tasks?.tasks ?? [])].map(it => it.id))
  // What was counted for no task is taken away.
  const counted = Object.entries(old?.status?.retry_counts ?? {}).filter(([task]) => tasks.has(task))
  return counted.flatMap(([task, counts]) =>
    FIX_LOOPS.flatMap(loop => {
      const was = counts[loop] ?? 0
      const is = session.status?.retry_counts[task]?.[loop] ?? 0
      if (is >= was || answered.includes(loop)) return []
      return [at('handover-retries', `retry_counts/${task}/${loop}`, { expected: `${was} or more`, found: String(is) })]
    }),
  )
}
