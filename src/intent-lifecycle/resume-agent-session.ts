import { isProcessAlive } from '../io/process/process-alive.ts'
import { saveSession, findSession } from '../sessions/session-store.ts'
import { withSessionsLock } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Removes the pid of a session whose process has ended: the agent has resumed it in a process not known yet. */
export async function resumeAgentSession(workspace: Workspace, id: string): Promise<void> {
  await withSessionsLock(workspace, async () => {
    const session = await findSession(workspace, id)
    if (session?.pid == null || isProcessAlive(session.pid)) return
    await saveSession(workspace, { ...session, pid: null })
  })
}
