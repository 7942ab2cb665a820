import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { worktrees } from '../diff/worktrees.ts'
import { isWithin } from '../io/real-path.ts'
import { huskyFolderOf } from '../workspace/hooks-in-force.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { settingOf } from './local-config.ts'
import { type Manager, managerOf } from './managers.ts'

/** What git looks into for this worktree's hooks, and whose that is. */
export type FoundHooks = {
  readonly manager: Manager
  /** The folder with the scripts; husky keeps them beside its own. */
  readonly folder: string
  /** `ours` is the folder that hands on to another one; `elsewhere` may be used by other repositories as well. */
  readonly place: 'clone' | 'ours' | 'elsewhere'
}

/** Finds the hooks that are in force. */
export async function findHooks(workspace: Workspace): Promise<FoundHooks> {
  const folder = await workspace.git.ask(hooksPath)
  const husky = huskyFolderOf(folder)
  if (husky !== null) return { manager: 'husky', folder: husky, place: 'clone' }
  // Also where this repository was before it was moved or copied.
  if (folder.endsWith('/kotef/hooks')) return { manager: 'git', folder: ownFolder(workspace), place: 'ours' }
  const place = (await isOfThisClone(workspace, folder)) ? 'clone' : 'elsewhere'
  return { manager: await managerOf(workspace, folder), folder, place }
}

/** The folder of ours that `core.hooksPath` names when it hands on to another one. */
export function ownFolder(workspace: Workspace): string {
  return join(placesOf(workspace).shared, 'hooks')
}

/** True when the folder in force is named for one worktree alone, where no setting of the clone can overrule it. */
export async function isForOneWorktree(workspace: Workspace): Promise<boolean> {
  return (await settingOf(workspace, 'core.hooksPath'))?.scope === 'worktree'
}

const hooksPath: GitQuery<string> = {
  args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'],
  parse: out => out.replace(/\n$/, ''),
}

async function isOfThisClone({ commonDir, git }: Workspace, folder: string): Promise<boolean> {
  const trees = await git.ask(worktrees)
  return [commonDir, ...trees.map(it => it.path)].some(it => isWithin(it, folder))
}
