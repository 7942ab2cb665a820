import { type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server'
import type { Request } from '../intents/request.ts'
import { grant, type Proposal, proposalFor, reject } from '../workspace/answer-request.ts'
import { ask } from '../workspace/requests.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Host } from './host.ts'
import { isShort, type Person, type Said } from './person.ts'

/** What came of a request: its text for the agent, and the same as values. */
export type Outcome = { readonly text: string; readonly more: Readonly<Record<string, unknown>> }

/**
 * Puts a request before a person: at the client, where that can ask one, and else, or when nobody answers there, it
 * waits for `kotef approve`. The client is made to ask once.
 */
export async function requested(
  host: Host,
  workspace: Workspace,
  { wish, person }: { readonly wish: Omit<Request, 'id' | 'at'>; readonly person: Person | null },
): Promise<Outcome | InputRequiredResult> {
  const request = await ask(workspace, wish)
  const shown = host.shown.get(request.id)
  if (person === null) return waiting(request)
  // An answer to what was not asked here is none.
  if (shown !== undefined) return person.before === null ? waiting(request) : heeded(workspace, shown, person.before)
  const proposal = await proposalFor(workspace, request.id)
  if (!isShort(proposal)) return waiting(request)
  host.shown.set(request.id, proposal)
  const said = await person.ask(proposal)
  return isInputRequiredResult(said) ? said : heeded(workspace, proposal, said)
}

async function heeded(workspace: Workspace, proposal: Proposal, said: Said): Promise<Outcome> {
  const { request } = proposal
  if (said.said === 'nothing') return waiting(request)
  const via = 'elicitation'
  const { verdict } =
    said.said === 'grant'
      ? await grant(workspace, proposal, via)
      : await reject(workspace, request, { reason: said.reason, via })
  return { text: `A person has ${verdict} it.`, more: { request: request.id, pending: false, verdict } }
}

function waiting({ id }: Request): Outcome {
  return { text: WAITS, more: { request: id, pending: true } }
}

const WAITS = [
  'The request waits for a person, who sees it with `kotef approve --list`. Nothing has changed yet: go on with what',
  'is in scope, or tell the user what you wait for. The answer comes with the next call of one of these tools.',
].join(' ')
