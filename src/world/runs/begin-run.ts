import type { Config } from '../../core/intents/config.ts'
import type { CommandCheck, Criterion, Intent } from '../../core/intents/intent.ts'
import type { AgentRunTerms } from '../../core/runs/agent-run.ts'
import { fingerprint } from '../../core/outgoing/safe-text.ts'
import { cloneSalt } from '../io/worktree/private-files.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { intentWithTicket } from '../intents/registry/intent-ticket.ts'
import { startRun } from './run-store.ts'

type RunBeginning = { readonly session: string; readonly intent: Intent; readonly config: Pick<Config, 'runs'> }

/**
 * Begins the run of an agent's session. Its checks and limits stay, whatever becomes of registry and config. A session
 * without a run is not counted, so a failure does not stop the selection.
 */
export async function beginRun(workspace: Workspace, beginning: RunBeginning): Promise<void> {
  if (beginning.config.runs.profile === 'off') return
  const salt = await cloneSalt(workspace)
  const intent = await intentWithTicket(workspace, beginning.intent)
  await startRun(workspace, termsOfRun({ ...beginning, intent }, salt)).catch(() => {})
}

function termsOfRun({ session, intent, config: { runs } }: RunBeginning, salt: string): AgentRunTerms {
  const { id, acceptance_criteria, appetite } = intent
  const { profile, limits, hold_at_stop: holdsAtStop } = runs
  return {
    session,
    intent: id,
    appetite,
    holdsAtStop,
    profile: profile === 'default' || profile === 'off' ? null : profile,
    limits: Object.fromEntries(Object.entries(limits).filter(([, it]) => it !== undefined)),
    checks: acceptance_criteria.flatMap(it => (typeof it === 'string' ? [] : [it.cmd])),
    typedChecks: Object.fromEntries(
      acceptance_criteria.flatMap(it => (isTypedAsItIs(it) ? [[fingerprint(it.cmd.trim(), salt), it.cmd]] : [])),
    ),
    manual: acceptance_criteria.filter(it => typeof it === 'string'),
  }
}

// In another folder, or with variables of its own, the same words are another check.
function isTypedAsItIs(it: Criterion): it is CommandCheck {
  return typeof it !== 'string' && (it.cwd ?? '.') === '.' && it.env === undefined
}
