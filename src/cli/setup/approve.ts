import { plural } from '../../text/plural.ts'
import { escapeInvisible, printable } from '../../text/printable.ts'
import {
  recordApproval,
  type StagedGovernance,
  stagedGovernance,
  unapprovedDiff,
} from '../../approvals/approve-staged.ts'
import { pendingRequests } from '../../approvals/requests.ts'
import { liveAgentNames } from '../../sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../../worktree/workspace.ts'
import { approveRequest, requestLines } from './approve-request.ts'
import { askConfirmation } from '../prompts.ts'
import { firstArgument } from '../options.ts'
import { requirePerson, requireTerminal } from '../require-person.ts'
import type { RunVerb } from '../verb.ts'

/**
 * `kotef approve`: shows a person the staged changes of governance files and records the approval, or answers an
 * agent's request.
 */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['list'] === true) return listStaged(workspace, await stagedGovernance(workspace))
  await requirePerson(call, workspace)
  if (firstArgument(call) !== '') return approveRequest(call, workspace)
  requireTerminal(call)
  const staged = await stagedGovernance(workspace)
  const changes = staged.changes.filter(it => !it.approved).map(({ path, before, after }) => ({ path, before, after }))
  if (changes.length === 0)
    return { text: [nothingToApprove(staged), ...(await pendingRequestLines(workspace))].join('\n'), json: null }
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
  const text = lines.length === 0 ? [nothingToApprove(staged)] : [...lines, ...(waits ? [hint] : [])]
  const json = { head: staged.head, agents, changes: staged.changes, requests: await pendingRequests(workspace) }
  return { text: [...text, ...(await pendingRequestLines(workspace))].join('\n'), json }
}

async function pendingRequestLines(workspace: Workspace): Promise<string[]> {
  return (await pendingRequests(workspace)).flatMap(requestLines)
}

const APPROVE_HINT = 'A person approves it at a terminal: `kotef approve`'

function nothingToApprove({ changes }: StagedGovernance): string {
  if (changes.length === 0) return 'No change of a governance file is staged.'
  return ['All staged changes of governance files are already approved.', COMMIT_HINT].join('\n')
}

function changeCount({ length }: readonly unknown[]): string {
  return `${plural(length, 'change')} of governance files`
}
