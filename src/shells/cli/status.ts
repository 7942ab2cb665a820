import { gatherStatus } from '../../world/views/worktree-status.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { statusText } from '../../core/report/status-text.ts'
import type { RunVerb } from './verb.ts'

/** `kotef status`: the intent, session, daemon and ledger of this worktree, and its problems. */
export const run: RunVerb = async ({ cwd, env }) => {
  const workspace = await openWorkspace(cwd)
  const status = await gatherStatus(workspace, env['KOTEF_SESSION'] ?? null)
  const isJudged = !status.governed || status.unknown !== 'the policy'
  return { text: statusText(status, workspace.clock.now()), json: status, exit: isJudged ? 0 : 1 }
}
