import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { AgentEvent } from '../agents/event.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { isWithin, realPathOf } from '../io/files/real-path.ts'
import { recordAgentEvent } from '../agent-activity/record-event.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** Records an event of an agent whose working folder is `cwd`; returns the window that the event closed, or null. */
export async function recordHookEvent(
  worktree: LightWorktree,
  event: AgentEvent | null,
  cwd: string,
): Promise<ToolWindow | null> {
  if (!event) return null
  const writtenPaths = 'paths' in event ? event.paths : []
  const paths = await Promise.all(writtenPaths.map(it => worktreePath(worktree, resolve(cwd, it))))
  const open = async () => (await import('../worktree/workspace.ts')).openWorkspace(worktree.root)
  const lazily = {
    recordWithoutDaemon: async () =>
      (await import('../observation/record-without-daemon.ts')).recordWithoutDaemon(await open()),
    endSession: async (it: string) =>
      (await import('../intent-lifecycle/end-agent-session.ts')).endAgentSession(await open(), it),
    resumeSession: async (it: string) =>
      (await import('../intent-lifecycle/resume-agent-session.ts')).resumeAgentSession(await open(), it),
    claimRecordedWrite: async (it: LateClaimRequest) =>
      (await import('../agent-activity/claim-recorded-write.ts')).claimRecordedWrite(await open(), it),
  }
  return recordAgentEvent({ ...worktree, ...lazily }, { event, paths: paths.filter(it => it !== null) })
}

type LateClaimRequest = Parameters<Parameters<typeof recordAgentEvent>[0]['claimRecordedWrite']>[0]

/** A path relative to the worktree, with links resolved; null when it is outside the worktree, or belongs to git. */
async function worktreePath(
  { root, gitDir }: Pick<LightWorktree, 'root' | 'gitDir'>,
  path: string,
): Promise<string | null> {
  const real = await realpath(path).catch(() => realPathOf(path))
  const name = relative(root, real)
  const isOfGit = isWithin(gitDir, real) || /^\.git(\/|$)/.test(name)
  return isWithin(root, real) && !isOfGit ? name : null
}
