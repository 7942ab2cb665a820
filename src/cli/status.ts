import { gatherStatus } from '../status/worktree-status.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { statusText } from '../report/status-text.ts'
import type { RunVerb } from './verb.ts'

/** `kotef status`: intent, session, daemon, ledger, and what is wrong with the tree. */
export const run: RunVerb = async ({ cwd, env }) => {
  const status = await gatherStatus(await openWorkspace(cwd), env['KOTEF_SESSION'] ?? null)
  return { text: statusText(status), json: status }
}
