import type { Workspace } from '../../worktree/workspace.ts'
import { configureHooks } from './configured-hooks.ts'
import { installHooksProxy } from './hooks-proxy.ts'
import { addToHookFiles } from './hook-files.ts'
import { currentHooksSetup, type HooksSetup } from './hooks-setup.ts'
import { restoreHuskyFolder } from './husky.ts'
import { installSharedFiles } from '../install-hooks.ts'
import { type InstalledHooks, readInstalledHooks } from './installed-hooks.ts'

/** The installed scripts before the update, and the parts that had to be restored. */
export type HooksRefresh = InstalledHooks & {
  /** The files or settings that call the hooks, and were missing. */
  readonly restored: readonly string[]
}

/** Updates the hooks' scripts to this package, and restores the calls that a tool removed or a new worktree lacks. */
export async function refreshHooks(workspace: Workspace): Promise<HooksRefresh> {
  const { found, version } = await readInstalledHooks(workspace)
  if (found === 'absent') return { found, version, restored: [] }
  if (found === 'older') await installSharedFiles(workspace)
  return { found, version, restored: await restoreHooks(workspace, found) }
}

// A newer kotef may call its hooks in another way.
async function restoreHooks(workspace: Workspace, found: HooksRefresh['found']): Promise<string[]> {
  const husky = (await restoreHuskyFolder(workspace)) ? ["husky's folder, which was not in this worktree"] : []
  const hooks = await currentHooksSetup(workspace).catch(() => null)
  return hooks && found !== 'newer' ? [...husky, ...(await restoreHookCalls(workspace, hooks))] : husky
}

// Tracked files belong to the team: a commit has to restore them, and the doctor names them.
async function restoreHookCalls(workspace: Workspace, hooks: HooksSetup): Promise<string[]> {
  if (hooks.way === 'config') await configureHooks(workspace)
  if (hooks.way === 'handing-on') await installHooksProxy(workspace)
  const isOurs = hooks.way === 'files' && hooks.folder.startsWith(`${workspace.commonDir}/`)
  return isOurs ? addToHookFiles(workspace, hooks) : []
}
