import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { escapeInvisible } from '../text/printable.ts'
import type { Proposal } from '../approvals/answer-request.ts'

/** What a person said when asked through the client; silence is whatever is neither a yes nor a no. */
export type PersonAnswer =
  { readonly said: 'grant' } | { readonly said: 'reject'; readonly reason: string } | { readonly said: 'nothing' }

/** Asks the person at the client; in the later era of the protocol the question is an answer to the call first. */
export type Person = {
  /** What the person said to the question before, with which this call comes again; null when it comes first. */
  readonly previousAnswer: PersonAnswer | null
  readonly ask: (proposal: Proposal) => Promise<PersonAnswer | InputRequiredResult>
}

/** The person at a client; null when the client can't ask anybody. */
export function personAt(server: Server, { mcpReq }: ServerContext): Person | null {
  const capabilities: unknown = Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const elicitation: unknown = Object(capabilities).elicitation
  if (!elicitation || !supportsForms(elicitation)) return null
  if (mcpReq.envelope === undefined) {
    // A client that fails here, or lets nobody answer, leaves the request waiting.
    const ask = (proposal: Proposal) =>
      mcpReq.elicitInput(elicitQuestion(proposal), { timeout: ELICIT_MS_MAX }).then(personAnswerIn, () => NO_ANSWER)
    return { previousAnswer: null, ask }
  }
  const view = inputResponse(mcpReq.inputResponses, ANSWER_KEY)
  const previousAnswer = view.kind === 'elicit' ? personAnswerIn(view) : null
  const questionFor = (proposal: Proposal) => ({
    inputRequests: { [ANSWER_KEY]: inputRequired.elicit(elicitQuestion(proposal)) },
  })
  return { previousAnswer, ask: async proposal => inputRequired(questionFor(proposal)) }
}

const ANSWER_KEY = 'answer'
const NO_ANSWER: PersonAnswer = { said: 'nothing' }
const ELICIT_MS_MAX = 600_000

// What names neither of the two kinds is of the time when there was one.
function supportsForms(elicitation: object): boolean {
  return 'form' in elicitation || !('url' in elicitation)
}

// To decline, or to close the question, is what a client without a person does by itself.
function personAnswerIn({ action, content }: Pick<ElicitResult, 'action'> & { content?: unknown }): PersonAnswer {
  const { answer, reason }: { answer?: unknown; reason?: unknown } = Object(content)
  if (action !== 'accept') return NO_ANSWER
  if (answer === 'grant') return { said: 'grant' }
  const why =
    typeof reason === 'string'
      ? escapeInvisible(reason.replace(/\s+/g, ' ')).trim().slice(0, REASON_CHARACTERS_MAX)
      : ''
  return answer === 'reject' ? { said: 'reject', reason: why || 'none was given' } : NO_ANSWER
}

const REASON_CHARACTERS_MAX = 500

function elicitQuestion({ request, registry }: Proposal) {
  const { agent, intent, kind, wants, reason } = request
  const what = kind === 'scope' ? 'more scope' : 'permission'
  const asks = `${agent} asks for ${what}, working on ${intent}: ${wants.join(', ')}\nIts reason: ${reason}`
  const change = registry === null ? '' : `\n\nChange to the registry:\n${registry.diff}`
  return {
    message: escapeInvisible(`${asks}${change}`),
    requestedSchema: {
      type: 'object' as const,
      properties: {
        answer: {
          type: 'string' as const,
          title: 'Answer',
          description: 'Grant it exactly as shown, or reject it.',
          enum: ['grant', 'reject'],
        },
        reason: { type: 'string' as const, title: 'Reason', description: 'Why, if it is rejected.' },
      },
      required: ['answer'],
    },
  }
}

/** True for a question that a person can be expected to read in a form. */
export function fitsForm(proposal: Proposal): boolean {
  return elicitQuestion(proposal).message.length <= QUESTION_CHARACTERS_MAX
}

const QUESTION_CHARACTERS_MAX = 6_000
