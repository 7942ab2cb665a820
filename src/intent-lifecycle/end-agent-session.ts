import { compilePolicy } from '../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/try-judge-new-commits.ts'
import { endSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Ends the session of an agent whose hooks report the end of its run, and releases its claim. */
export async function endAgentSession(workspace: Workspace, session: string): Promise<void> {
  await tryJudgeNewCommits(workspace)
  const ended = await endSessions(workspace, it => it.id === session && it.kind === 'agent' && !it.declared)
  // When the policy can't be read, the compiled policy stays outdated, and git hooks judge without the fast path.
  if (ended.length > 0) await compilePolicy(workspace).catch(() => false)
}
