import { join } from 'node:path'
import type { GitQuery } from '../../git/query.ts'
import { worktreeList } from '../../git/worktrees.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { huskyFolderOf } from './effective-hooks.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { readGitSetting } from '../git-config.ts'
import { type HookManager, detectHookManager } from './hook-managers.ts'

/** The hooks folder of this worktree, and the tool that manages it. */
export type DetectedHooks = {
  readonly manager: HookManager
  /** The folder with the scripts. For husky it is `.husky`, not the generated `.husky/_`. */
  readonly folder: string
  /** `ours` is the folder that forwards to another one; `elsewhere` may be used by other repositories too. */
  readonly location: 'clone' | 'ours' | 'elsewhere'
}

/** Finds the hooks folder that git uses. */
export async function detectHooks(workspace: Workspace): Promise<DetectedHooks> {
  const folder = await workspace.git.ask(hooksPath)
  const husky = huskyFolderOf(folder)
  if (husky !== null) return { manager: 'husky', folder: husky, location: 'clone' }
  // By the end of the path only: the repository may have been moved or copied since.
  if (folder.endsWith('/kotef/hooks')) return { manager: 'git', folder: proxyFolder(workspace), location: 'ours' }
  const location = (await isInClone(workspace, folder)) ? 'clone' : 'elsewhere'
  return { manager: await detectHookManager(workspace, folder), folder, location }
}

/** kotef's folder of hooks that forward to another folder. */
export function proxyFolder(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'hooks')
}

/** True when a setting of this worktree alone names the folder, which a setting of the clone can't override. */
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
