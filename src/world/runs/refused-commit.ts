import { applyEvents, settle } from '../../core/runs/agent-run.ts'
import { gather } from '../io/git/gather.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'
import { gatherAgentAbove } from '../recording/agent-activity/agent-above.ts'
import { refusalEvents, type RefusedWrite } from './refusal-events.ts'
import { reportRun } from './report-run.ts'
import { updateRun } from './run-store.ts'

/** Counts a commit that constraints have refused, in the run of the agent's session that makes it, if that is known. */
export async function countRefusedCommit(
  workspace: Workspace,
  refused: readonly RefusedWrite[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const session = await committingSession(workspace, env)
  if (session === null) return
  const events = await refusalEvents(workspace, refused)
  const counted = await updateRun(workspace, session, ({ run, head, at }) => {
    const hadEnded = run.state.end !== null
    applyEvents(run, events, head)
    settle(run, at)
    return { run, hadEnded }
  })
  if (counted?.run.state.end && !counted.hadEnded) await reportRun(workspace, counted.run, counted.run.state.end)
}

async function committingSession(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<string | null> {
  const above = await gather(workspace, gatherAgentAbove(workspace))
  const named = above?.session ?? env['KOTEF_SESSION']
  if (named !== undefined) return named
  const [only, ...others] = (await liveSessions(workspace)).filter(it => it.kind === 'agent')
  return only && others.length === 0 ? only.id : null
}
