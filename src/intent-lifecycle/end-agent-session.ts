import { compilePolicy } from '../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/try-judge-new-commits.ts'
import { endSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Ends the session of an agent with hooks, which says that its run is over; its claim is given back. */
export async function endAgentSession(workspace: Workspace, session: string): Promise<void> {
  await tryJudgeNewCommits(workspace)
  const ended = await endSessions(workspace, it => it.id === session && it.kind === 'agent' && !it.declared)
  // What the hooks of git go by is as it was when the policy can't be read: then every commit takes the long way.
  if (ended.length > 0) await compilePolicy(workspace).catch(() => false)
}
