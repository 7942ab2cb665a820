import { REGISTRY_PATH } from '../intents/paths.ts'
import type { Request } from '../intents/request.ts'
import { KotefError } from '../report/failure.ts'
import { laidBare, printable } from '../report/printable.ts'
import type { Answer } from '../report/answer.ts'
import { grant, type Proposal, proposalFor, reject, type Via } from '../workspace/answer-request.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { commitAdvice } from './commit-advice.ts'
import { confirmed } from './confirm.ts'
import { firstArgument, lineOption } from './options.ts'
import { refuseWithoutTerminal } from './person-only.ts'
import type { Call } from './verb.ts'

/** `kotef approve <request>`: shows a person what granting it changes, and grants it or refuses it. */
export async function answerRequest(call: Call, workspace: Workspace): Promise<Answer> {
  const isSaid = call.options['yes'] === true
  if (!isSaid) refuseWithoutTerminal(call)
  const proposal = await proposalFor(workspace, firstArgument(call))
  if (call.options['reject'] === true) return rejected(call, workspace, proposal)
  if (call.options['json'] !== true) shownLines(proposal).forEach(call.say)
  if (!isSaid && !(await confirmed('Grant it, just as shown above?', { deliberate: true }))) {
    return { text: 'Nothing was granted; the request still waits.', json: null, exit: 1 }
  }
  const answer = await grant(workspace, proposal, viaOf(call))
  const advice = proposal.registry ? await commitAdvice(workspace, `widen ${answer.intent}`) : []
  const holds = proposal.registry ? [`  ${answer.intent} has it once the registry is committed.`, ...advice] : []
  return { text: [`Granted: ${listed(answer.wants)}.`, ...holds].join('\n'), json: { answer } }
}

async function rejected(call: Call, workspace: Workspace, { request }: Proposal): Promise<Answer> {
  const reason = lineOption(call, 'reason')?.trim() ?? ''
  if (reason === '') {
    throw new KotefError('usage', 'A request is rejected with a reason, which the agent is told.', {
      hint: `Say it: \`kotef approve ${shortOf(request)} --reject --reason 'why'\``,
    })
  }
  const answer = await reject(workspace, request, { reason, via: viaOf(call) })
  return { text: `Rejected: ${listed(answer.wants)}.`, json: { answer } }
}

function viaOf({ interactive, options }: Call): Via {
  return interactive && options['yes'] !== true ? 'terminal' : 'command'
}

function shownLines({ request, registry }: Proposal): string[] {
  const { agent, session, intent, kind, wants, reason } = request
  const what = kind === 'scope' ? 'more scope' : 'leave'
  const head = [
    `${printable(agent)} (session ${printable(session)}) asks for ${what}, working on ${intent}: ${listed(wants)}`,
    `It says why: ${printable(reason)}`,
  ]
  if (registry === null) return head
  return [...head, `To be committed of ${REGISTRY_PATH}:`, ...laidBare(registry.diff).trimEnd().split('\n')]
}

/** A request that waits, and how a person answers it. */
export function requestLines(request: Request): string[] {
  const { agent, intent, kind, wants, reason } = request
  const id = shortOf(request)
  return [
    `asks      ${intent}  ${kind}  ${wants.map(printable).join(' ')}`,
    `          ${printable(agent)} says why: ${printable(reason)}`,
    `          To grant it: \`kotef approve ${id}\``,
    `          To refuse it: \`kotef approve ${id} --reject --reason 'why'\``,
  ]
}

// Whoever has two that begin alike is told to say more.
function shortOf({ id }: Request): string {
  return id.slice(0, 8)
}

function listed(wants: readonly string[]): string {
  return wants.map(printable).join(', ')
}
