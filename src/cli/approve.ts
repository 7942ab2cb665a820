import type { Request } from '../intents/request.ts'
import { KotefError } from '../report/failure.ts'
import { laidBare, printable, quoted } from '../report/printable.ts'
import { approve, type StagedPlane, stagedPlane, waitingDiff } from '../workspace/approval.ts'
import { pendingRequests } from '../workspace/requests.ts'
import { liveAgents, liveSessions } from '../workspace/sessions.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { confirmed } from './confirm.ts'
import type { Call, Run } from './verb.ts'

/** `kotef approve`: shows a person what is staged of the files that govern, and writes down what was approved. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['list'] === true) return listOf(workspace, await stagedPlane(workspace))
  await refuseOthers(call, workspace)
  const staged = await stagedPlane(workspace)
  const changes = staged.changes.filter(it => !it.approved).map(({ path, before, after }) => ({ path, before, after }))
  if (changes.length === 0) return { text: nothingIn(staged), json: null }
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

// A person is who sits at a terminal, and has no session as an agent.
async function refuseOthers({ env, interactive, options }: Call, workspace: Workspace): Promise<void> {
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent')
    throw new KotefError('person-needed', `${printable(session.agent ?? 'An agent')} can't approve; a person must.`)
  if (!interactive || options['json'] === true)
    throw new KotefError('person-needed', 'Approving takes a person at a terminal.')
}

async function listOf(workspace: Workspace, staged: StagedPlane) {
  const agents = await liveAgents(workspace)
  const lines = staged.changes.map(it => `${it.approved ? 'approved' : 'waits   '}  ${printable(it.path)}`)
  const waits = staged.changes.some(it => !it.approved)
  const way = agents.length > 0 ? APPROVE : 'No agent works here, so it can be committed without an approval.'
  const asked = await pendingRequests(workspace)
  const text = lines.length === 0 ? [nothingIn(staged)] : [...lines, ...(waits ? [way] : [])]
  const json = { head: staged.head, agents, changes: staged.changes, requests: asked }
  return { text: [...text, ...asked.flatMap(requestLines)].join('\n'), json }
}

function requestLines({ agent, intent, kind, wants, reason }: Request): string[] {
  const way = kind === 'scope' ? [`          ${grantOf(intent, wants)}`] : []
  const why = `          ${printable(agent)} says why: ${printable(reason)}`
  return [`asks      ${intent}  ${kind}  ${wants.map(printable).join(' ')}`, why, ...way]
}

function grantOf(intent: string, globs: readonly string[]): string {
  return `To grant it: \`kotef intent edit ${intent} ${globs.map(it => `--add-scope ${quoted(it)}`).join(' ')}\``
}

const APPROVE = 'A person approves it at a terminal: `kotef approve`'

function nothingIn({ changes }: StagedPlane): string {
  if (changes.length === 0) return 'Nothing is staged of what governs this repository.'
  return ['All of it is approved already.', COMMIT].join('\n')
}

function countOf({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'change' : 'changes'} of what governs this repository`
}
