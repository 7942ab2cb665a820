import { whyNotDone } from './why-not-done.ts'
import { designVerdict, findDecision, type HandoverSession } from './handover-session.ts'
import { lackingSections, WANTED_SECTIONS } from './sections.ts'
import { STRATEGY_GATE } from './status-file.ts'
import type { FixLoop, Guard } from './workflow.ts'

export const REVIEW_STRATEGIES: readonly string[] = ['per-batch', 'single-final']

/** Decides which guards of transitions hold for a session. */
export function guardsOf(session: HandoverSession): (guard: Guard) => boolean {
  const known = new Map<Guard, boolean>()
  return guard => {
    const holds = known.get(guard) ?? guardHolds(session, guard)
    known.set(guard, holds)
    return holds
  }
}

function guardHolds(session: HandoverSession, guard: Guard): boolean {
  const [name, loop] = guard.split(' ')
  if (name === 'retry-counted') return isRetryCounted(session, loop as FixLoop)
  const { acceptance, tasks, status, history } = session
  switch (guard) {
    case 'intake-complete':
      return acceptance !== null && hasSections(session, 'spec.md')
    case 'lean-intake-complete':
      return acceptance !== null && tasks !== null && hasSections(session, 'spec.md')
    case 'design-complete':
      return hasSections(session, 'architecture.md')
    case 'design-approved':
      return designVerdict(session) === 'approved'
    case 'changes-requested':
      return history.length > 0 && designVerdict(session) === 'changes-requested'
    case 'plan-complete':
      return tasks !== null
    case 'strategy-chosen':
      return isStrategyChosen(session)
    case 'tasks-completed':
      return tasks !== null && tasks.tasks.every(it => it.status === 'completed')
    case 'build-not-red':
      return status?.last_ci_result !== 'red'
    case 'done':
      return whyNotDone(session).length === 0
    default:
      return true
  }
}

/** What a guard asks for, as the end of a sentence that begins with "expected". */
export const GUARD_WORDS: Readonly<Record<Guard, string>> = {
  'intake-complete': 'spec.md with all its sections, and a valid acceptance.json',
  'lean-intake-complete': 'spec.md with all its sections, and a valid acceptance.json and tasks.yaml',
  'design-complete': 'architecture.md with all its sections',
  'design-approved': 'an answer to UD-APPROVE-DESIGN that begins with approved, for the files as they are',
  'changes-requested': 'an answer that requests changes, in approve-design-history.jsonl',
  'plan-complete': 'a valid tasks.yaml',
  'strategy-chosen': 'an answer to UD-REVIEW-STRATEGY: per-batch or single-final',
  'tasks-completed': 'every task completed',
  'build-not-red': 'a build that is not red',
  done: 'a session that is done',
  'retry-counted FIX_REVIEW': 'a retry that is counted for FIX_REVIEW',
  'retry-counted FIX_TESTS': 'a retry that is counted for FIX_TESTS',
  'retry-counted FIX_SECURITY': 'a retry that is counted for FIX_SECURITY',
  'retry-counted FIX_BUILD': 'a retry that is counted for FIX_BUILD',
  none: 'nothing',
}

/** True when the user has chosen how reviews are made. */
export function isStrategyChosen(session: HandoverSession): boolean {
  const gate = findDecision(session, STRATEGY_GATE)
  return gate?.status === 'answered' && REVIEW_STRATEGIES.includes(gate.answer ?? '')
}

function hasSections({ texts }: HandoverSession, file: keyof typeof WANTED_SECTIONS): boolean {
  const text = texts.get(file)
  return text !== undefined && lackingSections(text, WANTED_SECTIONS[file]).length === 0
}

function isRetryCounted({ status }: HandoverSession, loop: FixLoop): boolean {
  return Object.values(status?.retry_counts ?? {}).some(it => (it[loop] ?? 0) > 0)
}
