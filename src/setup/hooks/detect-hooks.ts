import { join } from 'node:path'
import type { GitQuery } from '../../git/query.ts'
import { worktreeList } from '../../git/worktrees.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { huskyFolderOf } from './effective-hooks.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { readGitSetting } from '../git-config.ts'
import { type HookManager, detectHookManager } from './hook-managers.ts'

/** What git looks into for this worktree's hooks, and whose that is. */
export type DetectedHooks = {
  readonly manager: HookManager
  /** The folder with the scripts; husky keeps them beside its own. */
  readonly folder: string
  /** `ours` is the folder that hands on to another one; `elsewhere` may be used by other repositories as well. */
  readonly location: 'clone' | 'ours' | 'elsewhere'
}

/** Finds the hooks that are in force. */
export async function detectHooks(workspace: Workspace): Promise<DetectedHooks> {
  const folder = await workspace.git.ask(hooksPath)
  const husky = huskyFolderOf(folder)
  if (husky !== null) return { manager: 'husky', folder: husky, location: 'clone' }
  // Also where this repository was before it was moved or copied.
  if (folder.endsWith('/kotef/hooks')) return { manager: 'git', folder: proxyFolder(workspace), location: 'ours' }
  const location = (await isInClone(workspace, folder)) ? 'clone' : 'elsewhere'
  return { manager: await detectHookManager(workspace, folder), folder, location }
}

/** The folder of ours that `core.hooksPath` names when it hands on to another one. */
export function proxyFolder(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'hooks')
}

/** True when the folder in force is named for one worktree alone, where no setting of the clone can overrule it. */
export async function hasWorktreeHooksPath(workspace: Workspace): Promise<boolean> {
  return (await readGitSetting(workspace, 'core.hooksPath'))?.scope === 'worktree'
}

const hooksPath: GitQuery<string> = {
  args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'],
  parse: out => out.replace(/\n$/, ''),
}

async function isInClone({ commonDir, git }: Workspace, folder: string): Promise<boolean> {
  const trees = await git.ask(worktreeList)
  return [commonDir, ...trees.map(it => it.path)].some(it => isWithin(it, folder))
}
