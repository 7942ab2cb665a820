import type { Config } from '../intents/config.ts'
import type { Intent } from '../intents/intent.ts'
import type { AgentRunTerms } from '../runs/agent-run.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { startRun } from './run-store.ts'

type RunBeginning = { readonly session: string; readonly intent: Intent; readonly config: Pick<Config, 'runs'> }

/**
 * Begins the run of an agent's session. Its checks and limits stay, whatever becomes of registry and config. A session
 * without a run is not counted, so a failure does not stop the selection.
 */
export async function beginRun(workspace: Workspace, beginning: RunBeginning): Promise<void> {
  if (beginning.config.runs.profile !== 'off') await startRun(workspace, termsOfRun(beginning)).catch(() => {})
}

function termsOfRun({ session, intent, config: { runs } }: RunBeginning): AgentRunTerms {
  const { id, acceptance_criteria, appetite } = intent
  const { profile, limits, hold_at_stop: holdsAtStop } = runs
  return {
    ...{ session, intent: id, appetite, holdsAtStop },
    profile: profile === 'default' || profile === 'off' ? null : profile,
    limits: Object.fromEntries(Object.entries(limits).filter(([, it]) => it !== undefined)),
    checks: acceptance_criteria.flatMap(it => (typeof it === 'string' ? [] : [it.cmd])),
    manual: acceptance_criteria.filter(it => typeof it === 'string'),
  }
}
