import { findIntent } from '../../intents/find-intent.ts'
import type { Session } from '../../intents/session.ts'
import { claimLine } from '../../report/claim-line.ts'
import { driftLines } from '../../report/drift.ts'
import { printable } from '../../text/printable.ts'
import { claimStandings } from '../../sessions/claims.ts'
import { driftOf } from '../../sessions/drift.ts'
import { loadConfig, loadRegistry } from '../../policy/load-policy.ts'
import { resolveSession } from '../../sessions/resolve-session.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { namedSession } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef session show`: one session, its claim, and what was committed since it started. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await resolveSession(workspace, namedSession(call))
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, session.intent)
  const drift = await driftOf(workspace, session, intent)
  const claims = await claimStandings(workspace, await loadConfig(workspace))
  const claim = claims.find(it => it.intent === session.intent) ?? null
  const lines = [
    ...sessionLines(session, intent.name),
    `claim    ${claim ? claimLine(claim) : 'none: no session holds the intent'}`,
    ...(drift ? driftLines(drift) : []),
  ]
  return { text: lines.join('\n'), json: { session, intent, claim, drift } }
}

function sessionLines({ id, agent, model, intent, claimedAt, heartbeatAt, endedAt }: Session, name: string): string[] {
  const who = agent === null ? 'a person' : `${printable(agent)}${model === null ? '' : `, ${printable(model)}`}`
  return [
    `session  ${printable(id)} of ${who}`,
    `intent   ${intent} ${name}`,
    `since    ${claimedAt}, last seen ${heartbeatAt}${endedAt === null ? '' : `, ended ${endedAt}`}`,
  ]
}
