import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  isInputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { answeringClient } from '../../world/recording/agent-activity/answerer.ts'
import { escapeInvisible } from '../../core/base/printable.ts'
import { grantRequest, type Proposal, proposalFor, rejectRequest } from '../../world/approvals/answer-request.ts'
import { type AgentRequest, approveCommand } from '../../core/intents/request.ts'
import { addRequest } from '../../world/approvals/requests.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import type { Host } from './host.ts'
import type { TurnQueue } from './turn-queue.ts'

/** A person's answer through the client; `nothing` for anything that is neither a grant nor a rejection. */
type PersonAnswer =
  { readonly kind: 'grant' } | { readonly kind: 'reject'; readonly reason: string } | { readonly kind: 'nothing' }

/** The person at the client. In the later protocol the call is answered with the question, and then made again. */
export type Person = {
  /** The answer with which the client makes the call again; null for the first call. */
  readonly previousAnswer: PersonAnswer | null
  readonly ask: (proposal: Proposal) => Promise<PersonAnswer | InputRequiredResult>
}

/** The person at a client; null when the client can't ask anybody. */
export function personAt(server: Server, { mcpReq }: ServerContext, turns: TurnQueue): Person | null {
  const capabilities: unknown = Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const elicitation: unknown = Object(capabilities).elicitation
  if (!elicitation || !supportsForms(elicitation)) return null
  if (mcpReq.envelope === undefined) {
    // When the client fails, or the time is over, the request stays pending.
    const ask = (proposal: Proposal) =>
      turns
        .leave(() => mcpReq.elicitInput(elicitQuestion(proposal), { timeout: ELICIT_MS_MAX }))
        .then(personAnswerIn, () => NO_ANSWER)
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
const NO_ANSWER: PersonAnswer = { kind: 'nothing' }
// A person may take ten minutes to read a diff; afterwards `kotef approve` still works.
const ELICIT_MS_MAX = 600_000

// A client that names neither kind follows the older protocol, where forms were the only kind.
function supportsForms(elicitation: object): boolean {
  return 'form' in elicitation || !('url' in elicitation)
}

// Clients without a person decline or cancel by themselves, so neither counts as a rejection.
function personAnswerIn({ action, content }: Pick<ElicitResult, 'action'> & { content?: unknown }): PersonAnswer {
  const { answer, reason }: { answer?: unknown; reason?: unknown } = Object(content)
  if (action !== 'accept') return NO_ANSWER
  if (answer === 'grant') return { kind: 'grant' }
  const why =
    typeof reason === 'string'
      ? escapeInvisible(reason.replace(/\s+/g, ' ')).trim().slice(0, REASON_CHARACTERS_MAX)
      : ''
  return answer === 'reject' ? { kind: 'reject', reason: why || 'none was given' } : NO_ANSWER
}

// The reason becomes one line of the agent's context.
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
        reason: { type: 'string' as const, title: 'Reason', description: 'The reason for a rejection.' },
      },
      required: ['answer'],
    },
  }
}

/** True when the question is short enough to be read in a form. */
function fitsForm(proposal: Proposal): boolean {
  return elicitQuestion(proposal).message.length <= QUESTION_CHARACTERS_MAX
}

// About a hundred lines: a longer diff needs a terminal.
const QUESTION_CHARACTERS_MAX = 6_000

/** The result of a request: text for the agent, and the same as values. */
type RequestOutcome = { readonly text: string; readonly more: Readonly<Record<string, unknown>> }

/**
 * Submits a request to a person: at the client if it can ask one, once. Without an answer there the request stays
 * pending for `kotef approve`.
 */
export async function submitRequest(
  host: Host,
  workspace: Workspace,
  { draft, person }: { readonly draft: Omit<AgentRequest, 'id' | 'at'>; readonly person: Person | null },
): Promise<RequestOutcome | InputRequiredResult> {
  const request = await addRequest(workspace, draft)
  const shown = host.proposalsShown.get(request.id)
  if (person === null) return pendingOutcome(request)
  // An answer counts only for a question that this server asked.
  if (shown !== undefined)
    return person.previousAnswer === null
      ? pendingOutcome(request)
      : applyPersonAnswer(workspace, shown, person.previousAnswer)
  const proposal = await proposalFor(workspace, request.id)
  if (!fitsForm(proposal)) return pendingOutcome(request)
  host.proposalsShown.set(request.id, proposal)
  const answer = await person.ask(proposal)
  return isInputRequiredResult(answer) ? answer : applyPersonAnswer(workspace, proposal, answer)
}

async function applyPersonAnswer(
  workspace: Workspace,
  proposal: Proposal,
  answer: PersonAnswer,
): Promise<RequestOutcome> {
  const { request } = proposal
  if (answer.kind === 'nothing') return pendingOutcome(request)
  // A command of the agent can start a server and be its client.
  if ((await answeringClient(workspace)).who === 'agent') return pendingOutcome(request)
  const given = { via: 'elicitation', person: 'unproved' } as const
  const { verdict } =
    answer.kind === 'grant'
      ? await grantRequest(workspace, proposal, given)
      : await rejectRequest(workspace, request, { reason: answer.reason, ...given })
  return { text: `It was ${verdict} at the client.`, more: { request: request.id, pending: false, verdict } }
}

// A person types the command in a shell.
function pendingOutcome({ id }: AgentRequest): RequestOutcome {
  const command = approveCommand(id).replace(/^kotef/, typedName(process.env))
  return { text: pendingText(command), more: { request: id, pending: true, answer_with: command } }
}

function pendingText(command: string): string {
  return [
    `The request waits for a person, also after this session. Inform the user: \`${command}\` answers it.`,
    'Nothing has changed yet: continue with work in scope. The answer comes with the next call of one of these tools.',
  ].join(' ')
}
