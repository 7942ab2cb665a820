import type { RequestAnswer } from '../intents/request-answer.ts'
import { laidBare } from '../report/printable.ts'

/** What a person answered, as an agent is told of it: a line for each; empty when nothing was. */
export function answersText(answers: readonly RequestAnswer[]): string {
  return answers.map(lineOf).join('\n')
}

function lineOf({ kind, wants, intent, verdict, reason }: RequestAnswer): string {
  const what = kind === 'scope' ? `more scope for ${intent}` : 'leave'
  const asked = `Your request for ${what} (${wants.map(it => JSON.stringify(it)).join(', ')})`
  return laidBare(`${asked} was ${verdict} by a person.${why(reason)}${next(kind, verdict)}`)
}

function why(reason: string | null): string {
  return reason === null || reason === '' ? '' : ` The reason: ${JSON.stringify(reason)}.`
}

function next(kind: RequestAnswer['kind'], verdict: RequestAnswer['verdict']): string {
  if (verdict === 'rejected') return ' Do not ask for the same again, and do not look for another way to it.'
  return kind === 'scope' ? ' It holds as soon as .orchestration/active_intents.yaml is committed.' : ''
}
