import { worktreeList } from '../../core/git/worktrees.ts'
import { endSessions, liveSessions } from '../intents/sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../io/worktree/workspace.ts'

/** All worktrees of a clone that can be opened, this one included. */
export async function worktreesOfClone(workspace: Workspace): Promise<Workspace[]> {
  const listed = await workspace.git.ask(worktreeList)
  const opened = await Promise.all(
    listed.filter(it => !it.isBare).map(it => openWorkspace(it.path, workspace).catch(() => null)),
  )
  const found = opened.filter(it => it !== null)
  return found.some(it => it.root === workspace.root) ? found : [workspace, ...found]
}

/** Ends all sessions of a worktree, and returns how many there were. */
export async function endAllSessions(workspace: Workspace): Promise<number> {
  if ((await liveSessions(workspace)).length === 0) return 0
  return (await endSessions(workspace, () => true)).length
}

/** The refs that kotef keeps in a clone: notes, those fetched from remotes, and claims. */
export async function kotefRefs({ git }: Workspace): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/notes/kotef', 'refs/kotef']
  return git.ask({ args, parse: out => out.split('\n').slice(0, -1) })
}

/** Deletes these refs. Their objects stay until git removes what nothing reaches. */
export async function deleteRefs({ git }: Workspace, refs: readonly string[]): Promise<void> {
  for (const ref of refs) await git.ask({ args: ['update-ref', '-d', ref], parse: () => null })
}
