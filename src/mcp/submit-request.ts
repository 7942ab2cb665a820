import { type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server'
import type { AgentRequest } from '../intents/request.ts'
import { grantRequest, type Proposal, proposalFor, rejectRequest } from '../approvals/answer-request.ts'
import { addRequest } from '../approvals/requests.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { Host } from './host.ts'
import { fitsForm, type Person, type PersonAnswer } from './person.ts'

/** The result of a request: text for the agent, and the same as values. */
export type RequestOutcome = { readonly text: string; readonly more: Readonly<Record<string, unknown>> }

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
  const via = 'elicitation'
  const { verdict } =
    answer.kind === 'grant'
      ? await grantRequest(workspace, proposal, via)
      : await rejectRequest(workspace, request, { reason: answer.reason, via })
  return { text: `A person has ${verdict} it.`, more: { request: request.id, pending: false, verdict } }
}

function pendingOutcome({ id }: AgentRequest): RequestOutcome {
  return { text: PENDING_TEXT, more: { request: id, pending: true } }
}

const PENDING_TEXT = [
  'The request waits for a person, who sees it with `kotef approve --list`. Nothing has changed yet: continue with',
  'work in scope, or inform the user that you are waiting. The answer comes with the next call of one of these tools.',
].join(' ')
