import { escapeInvisible, plural, printable, shellQuoted } from '../../text/printable.ts'
import {
  unstagedGovernance,
  recordApproval,
  type StagedGovernance,
  stagedGovernance,
  unapprovedDiff,
} from '../../approvals/approve-staged.ts'
import { pendingRequests } from '../../approvals/requests.ts'
import { liveAgentNames, liveSessions } from '../../sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../../worktree/workspace.ts'
import { askConfirmation } from '../prompts.ts'
import { firstArgument, lineOption, type RunVerb, type VerbCall } from '../verb.ts'
import { type AgentRequest, approveCommand } from '../../intents/request.ts'
import { KotefError } from '../../findings/failure.ts'
import type { VerbOutput } from '../../report/verb-output.ts'
import {
  type ApprovalVia,
  grantRequest,
  type Proposal,
  proposalFor,
  rejectRequest,
} from '../../approvals/answer-request.ts'
import { commitAdvice } from '../../registry/commit-registry.ts'
import { gatherAgentAbove } from '../../agent-activity/agent-above.ts'
import { gather } from '../../io/git/gather.ts'
import { agentVariable } from '../../agents/detect-agent.ts'

/**
 * `kotef approve`: shows a person the staged changes of governance files and records the approval, or answers an
 * agent's request.
 */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['list'] === true) return listStaged(workspace, await stagedGovernance(workspace))
  await requirePerson(call, workspace)
  if (firstArgument(call) !== '') return approveRequest(call, workspace)
  const staged = await stagedGovernance(workspace)
  const only = await onlyRequest(call, workspace, staged)
  if (only !== null) return approveRequest({ ...call, args: [only.id] }, workspace)
  requireTerminal(call)
  const changes = staged.changes.filter(it => !it.approved).map(({ path, before, after }) => ({ path, before, after }))
  if (changes.length === 0)
    return {
      text: [await nothingToApprove(workspace, staged), ...(await pendingRequestLines(workspace))].join('\n'),
      json: null,
    }
  for (const line of escapeInvisible(await unapprovedDiff(workspace, staged))
    .trimEnd()
    .split('\n'))
    call.print(line)
  const question = `Approve ${changeCount(changes)}, exactly as shown above?`
  if (!(await askConfirmation(question, { deliberate: true })))
    return { text: 'Nothing was approved.', json: null, exit: 1 }
  await recordApproval(workspace, { head: staged.head, changes })
  return { text: [`Approved: ${changeCount(changes)}.`, COMMIT_HINT].join('\n'), json: null }
}

const COMMIT_HINT = "  Commit it with its reason: `git commit -m 'subject' -m 'Governance: why'`"

async function listStaged(workspace: Workspace, staged: StagedGovernance) {
  const agents = await liveAgentNames(workspace)
  const lines = staged.changes.map(it => `${it.approved ? 'approved' : 'waits   '}  ${printable(it.path)}`)
  const waits = staged.changes.some(it => !it.approved)
  const hint =
    agents.length > 0 ? APPROVE_HINT : 'No agent has a session here, so they can be committed without approval.'
  const text = lines.length === 0 ? [await nothingToApprove(workspace, staged)] : [...lines, ...(waits ? [hint] : [])]
  const json = { head: staged.head, agents, changes: staged.changes, requests: await pendingRequests(workspace) }
  return { text: [...text, ...(await pendingRequestLines(workspace))].join('\n'), json }
}

async function pendingRequestLines(workspace: Workspace): Promise<string[]> {
  return (await pendingRequests(workspace)).flatMap(requestLines)
}

const APPROVE_HINT = 'A person approves it at a terminal: `kotef approve`'

/** The request that is meant without an id: the only one, when no staged change waits or the call rejects. */
async function onlyRequest(
  { options }: VerbCall,
  workspace: Workspace,
  { changes }: StagedGovernance,
): Promise<AgentRequest | null> {
  if (options['reject'] !== true && changes.some(it => !it.approved)) return null
  const [first = null, ...others] = await pendingRequests(workspace)
  return others.length === 0 ? first : null
}

async function nothingToApprove(workspace: Workspace, { changes }: StagedGovernance): Promise<string> {
  if (changes.length === 0) {
    const unstaged = await unstagedGovernance(workspace)
    const add = unstaged.length === 0 ? '<file>' : unstaged.map(shellQuoted).join(' ')
    const what = unstaged.length === 0 ? 'No governance file has changed' : 'No change of a governance file is staged'
    return [`${what}.`, `  Stage a change, then approve it: \`git add ${add} && kotef approve\``].join('\n')
  }
  return ['All staged changes of governance files are already approved.', COMMIT_HINT].join('\n')
}

function changeCount({ length }: readonly unknown[]): string {
  return `${plural(length, 'change')} of governance files`
}

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
      hint: `Give one: \`${approveCommand(request.id)} --reject --reason 'why'\``,
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
  return [...head, `Change to ${registry.change.path}:`, ...escapeInvisible(registry.diff).trimEnd().split('\n')]
}

/** A pending request, with the commands that answer it. */
export function requestLines(request: AgentRequest): string[] {
  const { agent, intent, kind, wants, reason } = request
  const command = approveCommand(request.id)
  return [
    `request   ${intent}  ${kind}  ${wants.map(printable).join(' ')}`,
    `          Reason from ${printable(agent)}: ${printable(reason)}`,
    `          To grant it: \`${command}\``,
    `          To refuse it: \`${command} --reject --reason 'why'\``,
  ]
}

function wantsText(wants: readonly string[]): string {
  return wants.map(printable).join(', ')
}

/**
 * Refuses a call that an agent makes, as far as kotef can detect it: below the agent's process, or by its variables. It
 * can't detect a program that the agent has detached from itself; its hook denies the command, and the ledger records
 * each grant.
 */
export async function requirePerson(
  { env }: Pick<VerbCall, 'env'>,
  workspace: Workspace,
  what = 'approve',
): Promise<void> {
  const around = what === 'approve' ? {} : { hint: 'A person runs the same command, outside of the agent.' }
  const agent = await callingAgent({ env }, workspace)
  if (agent !== null) throw new KotefError('person-needed', `${agent} can't ${what}; a person must.`, around)
}

/** The agent that makes a call, as the beginning of a sentence; null for a person, as far as kotef can detect it. */
export async function callingAgent({ env }: Pick<VerbCall, 'env'>, workspace: Workspace): Promise<string | null> {
  const above = await gather(workspace, gatherAgentAbove(workspace))
  if (above) return `${printable(above.agent)} runs this, and`
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent') return printable(session.agent ?? 'An agent')
  const variable = agentVariable(env)
  return variable === null ? null : `An agent runs this (${variable} is set), and`
}

/** Refuses a call without a person at a terminal. Commands that accept `--yes` ask for this only without it. */
export function requireTerminal({ interactive, options }: VerbCall, what = 'Approving', hint?: string): void {
  if (interactive && options['json'] !== true) return
  throw new KotefError('person-needed', `${what} needs a person at a terminal.`, hint === undefined ? {} : { hint })
}
