import { escapeInvisible, plural, printable, shellQuoted } from '../../../core/base/printable.ts'
import {
  unstagedGovernance,
  recordApproval,
  type StagedGovernance,
  stagedGovernance,
  unapprovedDiff,
} from '../../../world/approvals/approve-staged.ts'
import { pendingRequests } from '../../../world/approvals/requests.ts'
import { liveAgentNames } from '../../../world/intents/sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { type ProvenPerson, requirePerson, requireTerminal } from '../person.ts'
import { askConfirmation } from '../prompts.ts'
import { firstArgument, lineOption, type RunVerb, type VerbCall } from '../verb.ts'
import { type AgentRequest, approveCommand } from '../../../core/intents/request.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import {
  type ApprovalVia,
  grantRequest,
  type Proposal,
  proposalFor,
  rejectRequest,
} from '../../../world/approvals/answer-request.ts'
import { commitAdvice } from '../../../world/intents/registry/commit-registry.ts'

/**
 * `kotef approve`: shows a person the staged changes of governance files and records the approval, or answers an
 * agent's request.
 */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['list'] === true) return listStaged(workspace, await stagedGovernance(workspace))
  const proven = await requirePerson(call, workspace)
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
  await recordApproval(workspace, { head: staged.head, changes, person: proven.person })
  return { text: [`Approved: ${changeCount(changes)}.`, ...proven.remarks, COMMIT_HINT].join('\n'), json: null }
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
  const proven = await requirePerson(call, workspace, { askedBy: proposal.request.session })
  if (call.options['reject'] === true) return rejectWithReason(call, workspace, { ...proposal, ...proven })
  if (call.options['json'] !== true) proposalLines(proposal).forEach(call.print)
  if (!isConfirmed && !(await askConfirmation('Grant it, exactly as shown above?', { deliberate: true }))) {
    return { text: 'Nothing was granted; the request is still pending.', json: null, exit: 1 }
  }
  const answer = await grantRequest(workspace, proposal, { via: viaOf(call), person: proven.person })
  const advice = proposal.registry ? await commitAdvice(workspace, `widen ${answer.intent}`) : []
  const nextSteps = proposal.registry
    ? [`  ${answer.intent} has the new scope once the registry is committed.`, ...advice]
    : []
  const granted = `Granted: ${wantsText(answer.wants)}.`
  return { text: [granted, ...proven.remarks, ...nextSteps].join('\n'), json: { answer } }
}

async function rejectWithReason(
  call: VerbCall,
  workspace: Workspace,
  { request, person }: Proposal & ProvenPerson,
): Promise<VerbOutput> {
  const reason = lineOption(call, 'reason')?.trim() ?? ''
  if (reason === '') {
    throw new KotefError('usage', 'A rejection needs a reason; the agent sees it.', {
      hint: `Give one: \`${approveCommand(request.id)} --reject --reason 'why'\``,
    })
  }
  const answer = await rejectRequest(workspace, request, { reason, via: viaOf(call), person })
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
