import { KotefError } from '../../../core/base/failure.ts'
import { GATE_ANSWERS, type GateName } from '../../../core/handover/edit-decisions.ts'
import type { HandoverSession } from '../../../core/handover/handover-session.ts'
import { personsQuestionFailure } from '../../../core/handover/person-gates.ts'
import type { UserDecision } from '../../../core/handover/status-file.ts'
import { personsQuestionsHere } from '../../../world/handover/persons-questions.ts'
import { sessionInQuestion } from '../../../world/handover/session-folder.ts'
import { answerInSession, askInSession, endInSession } from '../../../world/handover/operations.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { objectOrNull, jsonOrUndefined } from '../../../core/base/payload.ts'
import { plural } from '../../../core/base/printable.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, lineOption, listOption, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { callingAgent } from '../person.ts'
import { askPerson } from './ask-person.ts'
import { textOfFile } from '../text-of-file.ts'
import { sessionOption } from './session-option.ts'

/** `kotef handover ask`: asks the user questions, or the question of a gate. */
export const askQuestions: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionOption(call, workspace)
  const gate = lineOption(call, 'gate') as GateName | null
  const questions = (listOption(call, 'question') ?? []).map(question => ({ question, ...aboutOf(call) }))
  if (gate === null && questions.length === 0)
    throw new KotefError('usage', 'A question is missing.', { hint: "Ask: `--question 'What is wanted?'`" })
  return pendingOutput(await askInSession(workspace, session, gate ? { gate } : { questions }))
}

function aboutOf(call: VerbCall): { security?: boolean; criterion?: string } {
  const criterion = lineOption(call, 'criterion')
  return { ...(call.options['security'] === true ? { security: true } : {}), ...(criterion ? { criterion } : {}) }
}

/** `kotef handover answer`: writes answers of the user: one, those of a file, or what a person types. */
export const answerQuestions: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const from = textOption(call, 'from')
  const [id, answer] = call.args
  const write = async (session: string, answers: ReadonlyMap<string, string | null>): Promise<VerbOutput> => {
    await refuseAgentAtGates(call, workspace, { session, ids: answers.keys() })
    return writeAnswers(workspace, session, answers)
  }
  if (from !== null) return write(...(await answersIn(call, workspace, from)))
  const session = await sessionOption(call, workspace)
  if (typeof id === 'string') return write(session, new Map([[id, textOrNull(answer)]]))
  if (!call.interactive)
    throw new KotefError('usage', 'An answer is missing.', { hint: "Give it: `kotef handover answer UD-1 'EUR'`" })
  await refuseAgentAtGates(call, workspace, { session, ids: null })
  return askPerson(workspace, session, it => writeAnswers(workspace, session, it))
}

/** The questions of a session that a call ends; null for all that wait. */
type Ended = { readonly session: string; readonly ids: Iterable<string> | null }

async function refuseAgentAtGates(call: VerbCall, workspace: Workspace, { session, ids }: Ended): Promise<void> {
  const persons = await personsQuestionsHere(workspace, session, ids)
  const agent = persons.length === 0 ? null : await callingAgent(call, workspace)
  if (agent !== null) throw personsQuestionFailure(agent, session, persons)
}

function textOrNull(text: VerbCall['args'][number]): string | null {
  return typeof text === 'string' ? text : null
}

async function answersIn(
  call: VerbCall,
  workspace: Workspace,
  file: string,
): Promise<[session: string, answers: ReadonlyMap<string, string | null>]> {
  const read = objectOrNull(jsonOrUndefined(textOfFile(file)))
  const kept = objectOrNull(read?.['captured'])
  const answers = objectOrNull(kept?.['answers']) ?? read
  if (answers === null) throw new KotefError('usage', `${file} has no answers such as {"UD-1": "EUR"}.`)
  const named = lineOption(call, 'session') ?? (kept ? String(read?.['session']) : null)
  const entries = Object.entries(answers).map(([id, it]) => [id, typeof it === 'string' ? it : null] as const)
  return [await sessionInQuestion(workspace, named), new Map(entries)]
}

async function writeAnswers(
  workspace: Workspace,
  session: string,
  answers: ReadonlyMap<string, string | null>,
): Promise<VerbOutput> {
  const { written, again } = await answerInSession(workspace, session, answers)
  const open = pendingOutput(written)
  const asked = again.map(it => `Ask again: ${it}${expectedAnswer(it)}`)
  return again.length === 0 ? open : { ...open, text: [...asked, open.text].join('\n'), exit: 1 }
}

/** `kotef handover cancel` and `skip`: end a question without an answer, for a reason. */
export const endQuestionAs =
  (how: 'cancelled' | 'skipped'): RunVerb =>
  async call => {
    const workspace = await openWorkspace(call.cwd)
    const session = await sessionOption(call, workspace)
    const reason = lineOption(call, 'reason')
    const id = firstArgument(call)
    if (!reason) throw new KotefError('usage', 'The reason is missing.', { hint: "Give it: `--reason 'why'`" })
    await refuseAgentAtGates(call, workspace, { session, ids: [id] })
    return pendingOutput(await endInSession(workspace, session, { id, how, reason }))
  }

// Only the gates have forms for an answer.
function expectedAnswer(id: string): string {
  const form = GATE_ANSWERS[id]
  return form === undefined ? '.' : `; the answer is ${form}`
}

function pendingOutput({ name, status }: HandoverSession): VerbOutput {
  const pending = (status?.user_decisions ?? []).filter(it => it.status === 'pending')
  const lines = [
    `${name} is in ${status?.current_state ?? '?'}; ${plural(pending.length, 'question')} for the user.`,
    ...pending.map(questionLine),
  ]
  return { text: lines.join('\n'), json: { session: name, state: status?.current_state, pending } }
}

function questionLine({ decision_id, question }: UserDecision): string {
  return `  ${decision_id}  ${question.replace(/\s+/g, ' ')}`
}
