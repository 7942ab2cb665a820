import type { Workspace } from '../workspace/workspace.ts'
import { configureHooks } from './configured-hooks.ts'
import { handOn } from './handing-on.ts'
import { joinHooks } from './hook-files.ts'
import { hooksFolder, type HooksFolder } from './hooks-folder.ts'
import { healHusky } from './husky.ts'
import { installShared } from './install.ts'
import { type InstalledHooks, installedHooks } from './installed-hooks.ts'

/** How the installed hooks stood to this package, and what had to be put in place again. */
export type Refresh = InstalledHooks & {
  /** What git calls the hooks by, and had lost. */
  readonly restored: readonly string[]
}

/** Brings what the hooks run up to date with this package, and puts back what a tool or a fresh worktree lost. */
export async function refreshHooks(workspace: Workspace): Promise<Refresh> {
  const { found, version } = await installedHooks(workspace)
  if (found === 'absent') return { found, version, restored: [] }
  if (found === 'older') await installShared(workspace)
  return { found, version, restored: await restored(workspace, found) }
}

// A newer kotef has its own way to call its hooks.
async function restored(workspace: Workspace, found: Refresh['found']): Promise<string[]> {
  const husky = (await healHusky(workspace)) ? ["husky's folder, which was not in this worktree"] : []
  const hooks = await hooksFolder(workspace).catch(() => null)
  return hooks && found !== 'newer' ? [...husky, ...(await calledAgain(workspace, hooks))] : husky
}

// What git tracks is the team's: it is put back by a commit, and named by the doctor.
async function calledAgain(workspace: Workspace, hooks: HooksFolder): Promise<string[]> {
  if (hooks.way === 'config') await configureHooks(workspace)
  if (hooks.way === 'handing-on') await handOn(workspace)
  const isOurs = hooks.way === 'files' && hooks.folder.startsWith(`${workspace.commonDir}/`)
  return isOurs ? joinHooks(workspace, hooks) : []
}
