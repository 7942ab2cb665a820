import type { Workspace } from '../../worktree/workspace.ts'
import { configureHooks } from './configured-hooks.ts'
import { installHooksProxy } from './hooks-proxy.ts'
import { addToHookFiles } from './hook-files.ts'
import { currentHooksSetup, type HooksSetup } from './hooks-setup.ts'
import { restoreHuskyFolder } from './husky.ts'
import { installSharedFiles } from '../install-hooks.ts'
import { type InstalledHooks, readInstalledHooks } from './installed-hooks.ts'

/** How the installed hooks stood to this package, and what had to be put in place again. */
export type HooksRefresh = InstalledHooks & {
  /** What git calls the hooks by, and had lost. */
  readonly restored: readonly string[]
}

/** Brings what the hooks run up to date with this package, and puts back what a tool or a fresh worktree lost. */
export async function refreshHooks(workspace: Workspace): Promise<HooksRefresh> {
  const { found, version } = await readInstalledHooks(workspace)
  if (found === 'absent') return { found, version, restored: [] }
  if (found === 'older') await installSharedFiles(workspace)
  return { found, version, restored: await restoreHooks(workspace, found) }
}

// A newer kotef has its own way to call its hooks.
async function restoreHooks(workspace: Workspace, found: HooksRefresh['found']): Promise<string[]> {
  const husky = (await restoreHuskyFolder(workspace)) ? ["husky's folder, which was not in this worktree"] : []
  const hooks = await currentHooksSetup(workspace).catch(() => null)
  return hooks && found !== 'newer' ? [...husky, ...(await restoreHookCalls(workspace, hooks))] : husky
}

// What git tracks is the team's: it is put back by a commit, and named by the doctor.
async function restoreHookCalls(workspace: Workspace, hooks: HooksSetup): Promise<string[]> {
  if (hooks.way === 'config') await configureHooks(workspace)
  if (hooks.way === 'handing-on') await installHooksProxy(workspace)
  const isOurs = hooks.way === 'files' && hooks.folder.startsWith(`${workspace.commonDir}/`)
  return isOurs ? addToHookFiles(workspace, hooks) : []
}
