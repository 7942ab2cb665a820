import { laidBare, printable } from '../report/printable.ts'
import { approve, type StagedPlane, stagedPlane, waitingDiff } from '../workspace/approval.ts'
import { pendingRequests } from '../workspace/requests.ts'
import { liveAgents } from '../workspace/sessions.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { answerRequest, requestLines } from './approve-request.ts'
import { confirmed } from './confirm.ts'
import { firstArgument } from './options.ts'
import { refuseAgents, refuseWithoutTerminal } from './person-only.ts'
import type { Run } from './verb.ts'

/**
 * `kotef approve`: shows a person what is staged of the files that govern, and writes down what was approved; or what
 * an agent asks for, and grants it.
 */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['list'] === true) return listOf(workspace, await stagedPlane(workspace))
  await refuseAgents(call, workspace)
  if (firstArgument(call) !== '') return answerRequest(call, workspace)
  refuseWithoutTerminal(call)
  const staged = await stagedPlane(workspace)
  const changes = staged.changes.filter(it => !it.approved).map(({ path, before, after }) => ({ path, before, after }))
  if (changes.length === 0) return { text: [nothingIn(staged), ...(await asked(workspace))].join('\n'), json: null }
  for (const line of laidBare(await waitingDiff(workspace, staged))
    .trimEnd()
    .split('\n'))
    call.say(line)
  const question = `Approve ${countOf(changes)}, just as shown above?`
  if (!(await confirmed(question, { deliberate: true }))) return { text: 'Nothing was approved.', json: null, exit: 1 }
  await approve(workspace, { head: staged.head, changes })
  return { text: [`Approved: ${countOf(changes)}.`, COMMIT].join('\n'), json: null }
}

const COMMIT = "  Commit it with its reason: `git commit -m 'subject' -m 'Governance: why'`"

async function listOf(workspace: Workspace, staged: StagedPlane) {
  const agents = await liveAgents(workspace)
  const lines = staged.changes.map(it => `${it.approved ? 'approved' : 'waits   '}  ${printable(it.path)}`)
  const waits = staged.changes.some(it => !it.approved)
  const way = agents.length > 0 ? APPROVE : 'No agent works here, so it can be committed without an approval.'
  const text = lines.length === 0 ? [nothingIn(staged)] : [...lines, ...(waits ? [way] : [])]
  const json = { head: staged.head, agents, changes: staged.changes, requests: await pendingRequests(workspace) }
  return { text: [...text, ...(await asked(workspace))].join('\n'), json }
}

async function asked(workspace: Workspace): Promise<string[]> {
  return (await pendingRequests(workspace)).flatMap(requestLines)
}

const APPROVE = 'A person approves it at a terminal: `kotef approve`'

function nothingIn({ changes }: StagedPlane): string {
  if (changes.length === 0) return 'Nothing is staged of what governs this repository.'
  return ['All of it is approved already.', COMMIT].join('\n')
}

function countOf({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'change' : 'changes'} of what governs this repository`
}
