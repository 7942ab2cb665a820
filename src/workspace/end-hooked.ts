import { compile } from './compile.ts'
import { judgeSoFar } from './judge-so-far.ts'
import { endSessions } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** Ends the session of an agent with hooks, which says that its run is over; its claim is given back. */
export async function endHooked(workspace: Workspace, session: string): Promise<void> {
  await judgeSoFar(workspace)
  const ended = await endSessions(workspace, it => it.id === session && it.kind === 'agent' && !it.declared)
  // What the hooks of git go by is as it was when the policy can't be read: then every commit takes the long way.
  if (ended.length > 0) await compile(workspace).catch(() => false)
}
