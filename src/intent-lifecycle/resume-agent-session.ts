import { isProcessAlive } from '../io/process/process-alive.ts'
import { saveSession, findSession } from '../sessions/session-store.ts'
import { withSessionsLock } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Forgets the process of a session whose agent goes on with it as another one: nobody knows yet which that is. */
export async function resumeAgentSession(workspace: Workspace, id: string): Promise<void> {
  await withSessionsLock(workspace, async () => {
    const session = await findSession(workspace, id)
    if (session?.pid == null || isProcessAlive(session.pid)) return
    await saveSession(workspace, { ...session, pid: null })
  })
}
