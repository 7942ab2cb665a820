import type { Session } from '../../intents/session.ts'
import { claimLine } from '../../report/claim-line.ts'
import { problemLine } from '../../report/finding-lines.ts'
import { printable } from '../../text/printable.ts'
import { claimStandings } from '../../sessions/claims.ts'
import { loadConfig } from '../../policy/load-policy.ts'
import { readSessions } from '../../sessions/live-sessions.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef session list`: lists the sessions of this worktree and the claims of all worktrees of the clone. */
export const run: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const config = await loadConfig(workspace)
  const { sessions, problems } = await readSessions(workspace)
  const claims = await claimStandings(workspace, config)
  const lines = [
    ...(sessions.length === 0 ? [NO_SESSION] : sessions.map(sessionLine)),
    ...(claims.length === 0 ? [] : ['claims of all worktrees:']),
    ...claims.map(it => `  ${claimLine(it)}`),
    ...problems.map(it => `problem  ${problemLine(it)}`),
  ]
  return { text: lines.join('\n'), json: { sessions, claims, problems } }
}

const NO_SESSION = 'No session is live in this worktree; start one with `kotef intent start <id>`'

function sessionLine({ id, intent, agent, claimedAt, heartbeatAt }: Session): string {
  const who = agent === null ? 'a person' : printable(agent)
  return `${printable(id)}  ${intent}  ${who}, since ${claimedAt}, last seen ${heartbeatAt}`
}
