import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../commits/judge-new-commits.ts'
import { endSessions, withSessionsLock } from '../intents/sessions/live-sessions.ts'
import { findSession, saveSession } from '../intents/sessions/session-store.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { isProcessAlive } from '../io/process/processes.ts'

/** Ends the session of an agent whose hooks report the end of its run, and releases its claim. */
export async function endAgentSession(workspace: Workspace, session: string): Promise<void> {
  await tryJudgeNewCommits(workspace)
  const ended = await endSessions(workspace, it => it.id === session && it.kind === 'agent' && !it.declared)
  // When the policy can't be read, the compiled policy stays outdated, and git hooks judge without the fast path.
  if (ended.length > 0) await compilePolicy(workspace).catch(() => false)
}

/** Removes the pid of a session whose process has ended: the agent has resumed it in a process not known yet. */
export async function resumeAgentSession(workspace: Workspace, id: string): Promise<void> {
  await withSessionsLock(workspace, async () => {
    const session = await findSession(workspace, id)
    if (session?.pid == null || isProcessAlive(session.pid)) return
    await saveSession(workspace, { ...session, pid: null })
  })
}
