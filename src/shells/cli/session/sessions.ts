import type { Session } from '../../../core/intents/session.ts'
import { claimLine } from '../../../core/report/claim-line.ts'
import { problemLine } from '../../../core/report/finding-lines.ts'
import { momentText } from '../../../core/report/local-time.ts'
import { shortSession } from '../../../core/report/short-id.ts'
import { printable } from '../../../core/base/printable.ts'
import { claimStandings } from '../../../world/intents/sessions/claims.ts'
import { loadConfig, loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { endSessions, isOrphaned, readSessions, resolveSession } from '../../../world/intents/sessions/live-sessions.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { requirePerson } from '../person.ts'
import { type RunVerb, namedSession } from '../verb.ts'
import { findIntent } from '../../../core/intents/intent.ts'
import { driftLines } from '../../../core/report/drift.ts'
import { driftOf } from '../../../world/intents/sessions/drift.ts'
import { compilePolicy } from '../../../world/intents/policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../../../world/commits/judge-new-commits.ts'

/** `kotef session list`: lists the sessions of this worktree and the claims of all worktrees of the clone. */
export const listSessions: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const config = await loadConfig(workspace)
  const { sessions, problems } = await readSessions(workspace)
  const claims = await claimStandings(workspace, config)
  const now = workspace.clock.now()
  const lines = [
    ...(sessions.length === 0
      ? [NO_SESSION]
      : sessions.map(it => `${sessionLine(it, now)}${isOrphaned(workspace, it) ? '; its process is gone' : ''}`)),
    ...(claims.length === 0 ? [] : ['claims of all worktrees:']),
    ...claims.map(it => `  ${claimLine(it, now)}`),
    ...problems.map(it => `problem  ${problemLine(it)}`),
  ]
  return { text: lines.join('\n'), json: { sessions, claims, problems } }
}

const NO_SESSION = 'No session is live in this worktree; start one with `kotef intent start <id>`'

function sessionLine({ id, intent, agent, claimedAt, heartbeatAt }: Session, now: number): string {
  const who = agent === null ? 'a person' : printable(agent)
  const seen = `last seen ${momentText(heartbeatAt, now)}`
  return `${printable(shortSession(id))}  ${intent}  ${who}, since ${momentText(claimedAt, now)}; ${seen}`
}

/** `kotef session show`: one session, its claim, and what was committed since it started. */
export const showSession: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await resolveSession(workspace, namedSession(call))
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, session.intent)
  const drift = await driftOf(workspace, session, intent)
  const claims = await claimStandings(workspace, await loadConfig(workspace))
  const claim = claims.find(it => it.intent === session.intent) ?? null
  const now = workspace.clock.now()
  const lines = [
    ...sessionLines(session, intent.name, now),
    `claim    ${claim ? claimLine(claim, now) : 'none: no session holds the intent'}`,
    ...(drift ? driftLines(drift) : []),
  ]
  return { text: lines.join('\n'), json: { session, intent, claim, drift } }
}

function sessionLines(session: Session, name: string, now: number): string[] {
  const { id, agent, model, intent, claimedAt, heartbeatAt, endedAt } = session
  const who = agent === null ? 'a person' : `${printable(agent)}${model === null ? '' : `, ${printable(model)}`}`
  const ended = endedAt === null ? '' : `; ended ${momentText(endedAt, now)}`
  return [
    `session  ${printable(id)} of ${who}`,
    `intent   ${intent} ${name}`,
    `since    ${momentText(claimedAt, now)}; last seen ${momentText(heartbeatAt, now)}${ended}`,
  ]
}

/** `kotef session end`: ends a session and releases its claim; the intent's status does not change. */
export const endSession: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  await requirePerson(call, workspace, { what: 'end a session' })
  const id = call.options['all'] === true ? null : (await resolveSession(workspace, namedSession(call))).id
  await tryJudgeNewCommits(workspace)
  const ended = await endSessions(workspace, it => id === null || it.id === id)
  // On a branch without a registry there is no policy to compile.
  await compilePolicy(workspace).catch(() => false)
  const lines =
    ended.length === 0
      ? [NO_SESSION]
      : ended.map(it => `Ended session ${printable(shortSession(it.id))}; the status of ${it.intent} did not change.`)
  return { text: lines.join('\n'), json: { ended } }
}
