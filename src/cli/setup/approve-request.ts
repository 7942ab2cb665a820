import { REGISTRY_PATH } from '../../paths/governance-files.ts'
import type { AgentRequest } from '../../intents/request.ts'
import { KotefError } from '../../findings/failure.ts'
import { escapeInvisible, printable } from '../../text/printable.ts'
import type { VerbOutput } from '../../report/verb-output.ts'
import {
  grantRequest,
  type Proposal,
  proposalFor,
  rejectRequest,
  type ApprovalVia,
} from '../../approvals/answer-request.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { commitAdvice } from '../../registry/commit-advice.ts'
import { askConfirmation } from '../prompts.ts'
import { firstArgument, lineOption } from '../options.ts'
import { requireTerminal } from '../require-person.ts'
import type { VerbCall } from '../verb.ts'

/** `kotef approve <request>`: shows a person what granting a request changes, and grants or rejects it. */
export async function approveRequest(call: VerbCall, workspace: Workspace): Promise<VerbOutput> {
  const isConfirmed = call.options['yes'] === true
  if (!isConfirmed) requireTerminal(call)
  const proposal = await proposalFor(workspace, firstArgument(call))
  if (call.options['reject'] === true) return rejectWithReason(call, workspace, proposal)
  if (call.options['json'] !== true) proposalLines(proposal).forEach(call.print)
  if (!isConfirmed && !(await askConfirmation('Grant it, exactly as shown above?', { deliberate: true }))) {
    return { text: 'Nothing was granted; the request is still pending.', json: null, exit: 1 }
  }
  const answer = await grantRequest(workspace, proposal, viaOf(call))
  const advice = proposal.registry ? await commitAdvice(workspace, `widen ${answer.intent}`) : []
  const nextSteps = proposal.registry
    ? [`  ${answer.intent} has the new scope once the registry is committed.`, ...advice]
    : []
  return { text: [`Granted: ${wantsText(answer.wants)}.`, ...nextSteps].join('\n'), json: { answer } }
}

async function rejectWithReason(call: VerbCall, workspace: Workspace, { request }: Proposal): Promise<VerbOutput> {
  const reason = lineOption(call, 'reason')?.trim() ?? ''
  if (reason === '') {
    throw new KotefError('usage', 'A rejection needs a reason; the agent sees it.', {
      hint: `Give one: \`kotef approve ${shortId(request)} --reject --reason 'why'\``,
    })
  }
  const answer = await rejectRequest(workspace, request, { reason, via: viaOf(call) })
  return { text: `Rejected: ${wantsText(answer.wants)}.`, json: { answer } }
}

function viaOf({ interactive, options }: VerbCall): ApprovalVia {
  return interactive && options['yes'] !== true ? 'terminal' : 'command'
}

function proposalLines({ request, registry }: Proposal): string[] {
  const { agent, session, intent, kind, wants, reason } = request
  const what = kind === 'scope' ? 'more scope' : 'permission'
  const head = [
    `${printable(agent)} (session ${printable(session)}) asks for ${what}, working on ${intent}: ${wantsText(wants)}`,
    `Its reason: ${printable(reason)}`,
  ]
  if (registry === null) return head
  return [...head, `Change to ${REGISTRY_PATH}:`, ...escapeInvisible(registry.diff).trimEnd().split('\n')]
}

/** A pending request, with the commands that answer it. */
export function requestLines(request: AgentRequest): string[] {
  const { agent, intent, kind, wants, reason } = request
  const id = shortId(request)
  return [
    `request   ${intent}  ${kind}  ${wants.map(printable).join(' ')}`,
    `          Reason from ${printable(agent)}: ${printable(reason)}`,
    `          To grant it: \`kotef approve ${id}\``,
    `          To refuse it: \`kotef approve ${id} --reject --reason 'why'\``,
  ]
}

// The first 8 characters are enough; for an ambiguous id, the command asks for more of it.
function shortId({ id }: AgentRequest): string {
  return id.slice(0, 8)
}

function wantsText(wants: readonly string[]): string {
  return wants.map(printable).join(', ')
}
