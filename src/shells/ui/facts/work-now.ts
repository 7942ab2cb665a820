import type { IntentNow, RunNow, SessionNow } from '../pages/now-facts.ts'
import { loadConfig, loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { elsewhereText } from '../../../core/report/claim-line.ts'
import type { AgentRun } from '../../../core/runs/agent-run.ts'
import { runCounters } from '../../../core/runs/run-counters.ts'
import { savedRuns } from '../../../world/runs/run-store.ts'
import { claimStandings } from '../../../world/intents/sessions/claims.ts'
import { intentsWithLiveStatus } from '../../../world/intents/sessions/intents-in-work.ts'
import { liveSessions } from '../../../world/intents/sessions/live-sessions.ts'
import { claimsElsewhere } from '../../../world/intents/sessions/other-clones.ts'
import type { Session } from '../../../core/intents/session.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The intents in progress, with the sessions that hold them: here, in other worktrees and in other clones. */
export async function intentsInProgress(workspace: Workspace): Promise<IntentNow[]> {
  const [{ intents }, sessions, config] = await Promise.all([
    loadRegistry(workspace),
    liveSessions(workspace),
    loadConfig(workspace),
  ])
  const [claims, elsewhere] = await Promise.all([claimStandings(workspace, config), claimsElsewhere(workspace, config)])
  const now = workspace.clock.now()
  return (await intentsWithLiveStatus(workspace, intents))
    .filter(it => it.status === 'IN_PROGRESS')
    .map(({ id, name }) => ({
      id,
      name,
      sessions: sessions.filter(it => it.intent === id).map(sessionNow),
      elsewhere: [
        ...claims
          .filter(it => it.intent === id && !it.here && it.claim !== null && it.stale === null)
          .map(it => `${it.claim?.agent ?? 'a person'}, in ${it.claim?.worktree}`),
        ...elsewhere.filter(it => it.intent === id).map(it => elsewhereText(it, now)),
      ],
    }))
}

function sessionNow({ id, agent, model, claimedAt, heartbeatAt }: Session): SessionNow {
  return { id, agent, model, since: claimedAt, seen: heartbeatAt }
}

/** The runs of this worktree's sessions, as they were counted last. */
export async function runsNow(workspace: Workspace): Promise<RunNow[]> {
  return (await savedRuns(workspace)).runs.map(runNow)
}

function runNow({ terms, state }: AgentRun): RunNow {
  const { loopCounters, lastProgressAtStep, totalSteps, ...counters } = runCounters(state)
  const moved = Object.entries({ ...counters, ...loopCounters }).filter(([, value]) => value > 0)
  return {
    session: terms.session,
    intent: terms.intent,
    status: state.end?.status ?? 'running',
    why: state.end && `${state.end.evidence} (${state.end.rule})`,
    since: state.startedAt === null ? null : new Date(state.startedAt).toISOString(),
    counters: [['steps', totalSteps], ...moved, ...progressOf(lastProgressAtStep)],
    checks: state.checks.map(it => ({ id: it.command, result: it.result })),
  }
}

function progressOf(step: number | null): (readonly [string, number])[] {
  return step === null ? [] : [['last progress at step', step]]
}
