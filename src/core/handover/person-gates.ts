import { KotefError } from '../base/failure.ts'
import { printable, shellQuoted } from '../base/printable.ts'
import { DESIGN_GATE, type StatusFile, STRATEGY_GATE, type UserDecision } from './status-file.ts'

type Status = Pick<StatusFile, 'user_decisions'> | null

/** The questions among some that a person has to answer where the config says so: those of gates and of security. */
export function personsQuestions(status: Status, ids: Iterable<string>): string[] {
  return [...ids].filter(id => isPersons(status, id))
}

/** The questions of gates and of security to which a change gives an end, or another answer. */
export function endedByChange(before: Status, after: Status): string[] {
  const isSame = ({ decision_id, status, answer }: UserDecision): boolean => {
    const old = before?.user_decisions.find(it => it.decision_id === decision_id)
    return old?.status === status && old.answer === answer
  }
  const ended = (after?.user_decisions ?? []).filter(it => it.status !== 'pending' && !isSame(it))
  return ended.map(it => it.decision_id).filter(id => isPersons(after, id) || isPersons(before, id))
}

/** The failure of an agent that ends a person's question; `who` begins the sentence. */
export function personsQuestionFailure(who: string, session: string, ids: readonly string[]): KotefError {
  const what = `${ids.join(', ')} of ${printable(session)}`
  const message = `${who} can't end ${what}: a person must (\`handover.gates: person\`).`
  return new KotefError('person-needed', message, { hint: `A person runs, at a terminal: ${personsCommand(session)}` })
}

/** The command with which a person answers the questions of a session. */
export function answerCommand(session: string): string {
  return `kotef handover answer --session ${shellQuoted(session)}`
}

/** The same in a sentence. */
export function personsCommand(session: string): string {
  return `\`${answerCommand(session)}\``
}

/** True for a reason that says that nobody answered, which is not a deferral by the user. */
export function isNoDeferral(reason: string): boolean {
  return NO_ANSWER.test(reason.trim())
}

const NO_ANSWER = /^(?:(?:no (?:response|answer|reply)|unanswered|not answered|time(?:d )?out)\b.*|n\/?a|none|-*)$/i

function isPersons(status: Status, id: string): boolean {
  if (id === DESIGN_GATE || id === STRATEGY_GATE) return true
  return status?.user_decisions.some(it => it.decision_id === id && it.security) === true
}
