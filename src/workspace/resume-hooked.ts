import { isAlive } from '../io/alive.ts'
import { saveSession, sessionNamed } from './session-store.ts'
import { withSessions } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** Forgets the process of a session whose agent goes on with it as another one: nobody knows yet which that is. */
export async function resumeHooked(workspace: Workspace, id: string): Promise<void> {
  await withSessions(workspace, async () => {
    const session = await sessionNamed(workspace, id)
    if (session?.pid == null || isAlive(session.pid)) return
    await saveSession(workspace, { ...session, pid: null })
  })
}
