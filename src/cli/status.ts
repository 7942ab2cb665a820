import { standingOf } from '../recording/standing.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { statusText } from '../report/status.ts'
import type { Run } from './verb.ts'

/** `kotef status`: intent, session, daemon, ledger, and what is wrong with the tree. */
export const run: Run = async ({ cwd, env }) => {
  const status = await standingOf(await openWorkspace(cwd), env['KOTEF_SESSION'] ?? null)
  return { text: statusText(status), json: status }
}
