import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { laidBare } from '../report/printable.ts'
import type { Proposal } from '../workspace/answer-request.ts'

/** What a person said when asked through the client; silence is whatever is neither a yes nor a no. */
export type Said =
  { readonly said: 'grant' } | { readonly said: 'reject'; readonly reason: string } | { readonly said: 'nothing' }

/** Asks the person at the client; in the later era of the protocol the question is an answer to the call first. */
export type Person = {
  /** What the person said to the question before, with which this call comes again; null when it comes first. */
  readonly before: Said | null
  readonly ask: (proposal: Proposal) => Promise<Said | InputRequiredResult>
}

/** The person at a client; null when the client can't ask anybody. */
export function personAt(server: Server, { mcpReq }: ServerContext): Person | null {
  const capabilities: unknown = Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const elicitation: unknown = Object(capabilities).elicitation
  if (!elicitation || !isForForms(elicitation)) return null
  if (mcpReq.envelope === undefined) {
    // A client that fails here, or lets nobody answer, leaves the request waiting.
    const ask = (proposal: Proposal) =>
      mcpReq.elicitInput(questionOf(proposal), { timeout: WAIT_MS_MAX }).then(saidIn, () => NOTHING)
    return { before: null, ask }
  }
  const view = inputResponse(mcpReq.inputResponses, KEY)
  const before = view.kind === 'elicit' ? saidIn(view) : null
  const asked = (proposal: Proposal) => ({ inputRequests: { [KEY]: inputRequired.elicit(questionOf(proposal)) } })
  return { before, ask: async proposal => inputRequired(asked(proposal)) }
}

const KEY = 'answer'
const NOTHING: Said = { said: 'nothing' }
const WAIT_MS_MAX = 600_000

// What names neither of the two kinds is of the time when there was one.
function isForForms(elicitation: object): boolean {
  return 'form' in elicitation || !('url' in elicitation)
}

// To decline, or to close the question, is what a client without a person does by itself.
function saidIn({ action, content }: Pick<ElicitResult, 'action'> & { content?: unknown }): Said {
  const { answer, reason }: { answer?: unknown; reason?: unknown } = Object(content)
  if (action !== 'accept') return NOTHING
  if (answer === 'grant') return { said: 'grant' }
  const why = typeof reason === 'string' ? laidBare(reason.replace(/\s+/g, ' ')).trim().slice(0, REASON_MAX) : ''
  return answer === 'reject' ? { said: 'reject', reason: why || 'none was given' } : NOTHING
}

const REASON_MAX = 500

function questionOf({ request, registry }: Proposal) {
  const { agent, intent, kind, wants, reason } = request
  const what = kind === 'scope' ? 'more scope' : 'leave'
  const asks = `${agent} asks for ${what}, working on ${intent}: ${wants.join(', ')}\nIt says why: ${reason}`
  const change = registry === null ? '' : `\n\nTo be committed of the registry:\n${registry.diff}`
  return {
    message: laidBare(`${asks}${change}`),
    requestedSchema: {
      type: 'object' as const,
      properties: {
        answer: {
          type: 'string' as const,
          title: 'Answer',
          description: 'Grant it just as shown, or reject it.',
          enum: ['grant', 'reject'],
        },
        reason: { type: 'string' as const, title: 'Reason', description: 'Why, if it is rejected.' },
      },
      required: ['answer'],
    },
  }
}

/** True for a question that a person can be expected to read in a form. */
export function isShort(proposal: Proposal): boolean {
  return questionOf(proposal).message.length <= QUESTION_MAX
}

const QUESTION_MAX = 6_000
