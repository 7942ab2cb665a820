import type { RequestAnswer } from '../../intents/request-answer.ts'
import { REGISTRY_PATH } from '../../base/governance-files.ts'
import { escapeInvisible } from '../../base/printable.ts'

/** A person's answers to an agent's requests as text for the agent: one line per answer. */
export function requestAnswersText(answers: readonly RequestAnswer[]): string {
  return answers.map(requestAnswerLine).join('\n')
}

function requestAnswerLine({ kind, wants, intent, verdict, reason }: RequestAnswer): string {
  const what = kind === 'scope' ? `more scope for ${intent}` : 'permission'
  const asked = `Your request for ${what} (${wants.map(it => JSON.stringify(it)).join(', ')})`
  return escapeInvisible(`${asked} was ${verdict}.${reasonSentence(reason)}${nextStepSentence(kind, verdict)}`)
}

function reasonSentence(reason: string | null): string {
  return reason === null || reason === '' ? '' : ` The reason: ${JSON.stringify(reason)}.`
}

function nextStepSentence(kind: RequestAnswer['kind'], verdict: RequestAnswer['verdict']): string {
  if (verdict === 'rejected') return ' Do not ask for the same again, and do not look for another way to it.'
  return kind === 'scope' ? ` It applies as soon as ${REGISTRY_PATH} is committed.` : ''
}
