import { sessionNamed } from '../workspace/session-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a server speaks for: one session, which the disk keeps. */
export type Host = {
  /** Opens the worktree anew for each call: what was wrong with it may have been mended. */
  readonly open: () => Promise<Workspace>
  readonly session: string
  /** The process that lives as long as the session does; null for a session that others began. */
  readonly pid: number | null
}

/** The intent that the session has selected; null when it has none, or was ended. */
export async function selectedBy({ session }: Host, workspace: Workspace): Promise<string | null> {
  return (await sessionNamed(workspace, session))?.intent ?? null
}
