import type { AgentRun } from '../../core/runs/agent-run.ts'
import { isStopped } from '../../core/runs/run-state.ts'
import type { StoppedRun } from '../../core/report/stopped-run.ts'
import { isOpen } from '../../core/intents/lifecycle.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { isOrphaned, readSessions } from '../intents/sessions/live-sessions.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { savedRuns } from './run-store.ts'

/**
 * The runs that were stopped and wait for a person, the latest stop first: each until a new run of its session begins,
 * or one of its intent in another session, or the intent is over. Changes nothing.
 */
export async function stoppedRuns(workspace: Workspace): Promise<StoppedRun[]> {
  const { runs } = await savedRuns(workspace)
  const stopped = runs.filter(it => isStopped(it.state.end) && !isContinued(it, runs))
  if (stopped.length === 0) return []
  const { sessions } = await readSessions(workspace)
  // A registry that can't be read hides no stop.
  const registry = await loadRegistry(workspace).catch(() => null)
  return stopped
    .filter(({ terms }) => registry?.intents.some(it => it.id === terms.intent && isOpen(it.status)) ?? true)
    .flatMap(({ terms: { session: id, intent }, state: { end } }) => {
      if (end === null) return []
      const session = sessions.find(it => it.id === id)
      const isLive = session !== undefined && session.endedAt === null && !isOrphaned(workspace, session)
      const { status, rule, evidence } = end
      const at = new Date(end.at).toISOString()
      return [{ session: id, agent: session?.agent ?? null, intent, status, rule, evidence, at, isLive }]
    })
    .sort((one, other) => (one.at < other.at ? 1 : -1))
}

function isContinued({ terms, state }: AgentRun, runs: readonly AgentRun[]): boolean {
  const stoppedAt = state.end?.at ?? Infinity
  return runs.some(it => it.terms.intent === terms.intent && (it.state.startedAt ?? 0) > stoppedAt)
}
