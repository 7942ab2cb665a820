import type { Session } from '../intents/session.ts'
import { claimLine } from '../report/claims.ts'
import { problemLine } from '../report/lines.ts'
import { printable } from '../report/printable.ts'
import { claimStandings } from '../workspace/claims.ts'
import { loadConfig } from '../workspace/policy.ts'
import { readSessions } from '../workspace/sessions.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef session list`: the sessions of this worktree, and the claims of all worktrees of the clone. */
export const run: Run = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const config = await loadConfig(workspace)
  const { sessions, problems } = await readSessions(workspace)
  const claims = await claimStandings(workspace, config)
  const lines = [
    ...(sessions.length === 0 ? [NOBODY] : sessions.map(sessionLine)),
    ...(claims.length === 0 ? [] : ['claims of all worktrees:']),
    ...claims.map(it => `  ${claimLine(it)}`),
    ...problems.map(it => `problem  ${problemLine(it)}`),
  ]
  return { text: lines.join('\n'), json: { sessions, claims, problems } }
}

const NOBODY = 'No session lives in this worktree; start one with `kotef intent start <id>`'

function sessionLine({ id, intent, agent, claimedAt, heartbeatAt }: Session): string {
  const who = agent === null ? 'a person' : printable(agent)
  return `${printable(id)}  ${intent}  ${who}, since ${claimedAt}, last seen ${heartbeatAt}`
}
