import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { unconfigureHooks } from './configured-hooks.ts'
import { stopHandingOn } from './handing-on.ts'
import { includeLedger } from './exclude.ts'
import { leaveHooks } from './hook-files.ts'
import { findHooks } from './found-hooks.ts'
import { keptHusky } from './husky.ts'
import { INSTALLED } from './install.ts'
import { forgetLineEnds } from './line-ends.ts'
import { removeMade } from './made-folders.ts'

/** Takes kotef out of everything that git runs in this clone, byte for byte; the places that it was in. */
export async function uninstallHooks(workspace: Workspace): Promise<string[]> {
  const removed: string[] = []
  if (await stopHandingOn(workspace)) removed.push('core.hooksPath')
  if ((await unconfigureHooks(workspace)) > 0) removed.push('hook.kotef-* in the config of this clone')
  const { folder, place } = await findHooks(workspace)
  // A folder that other repositories use was never written to.
  const inForce = place === 'clone' ? [folder] : []
  for (const it of new Set([join(workspace.commonDir, 'hooks'), join(workspace.root, '.husky'), ...inForce])) {
    removed.push(...(await leaveHooks(it)))
    if (await forgetLineEnds(workspace, it)) removed.push(join(it, '.gitattributes'))
  }
  await includeLedger(workspace)
  await removeMade(workspace)
  await removeShared(workspace)
  return removed
}

async function removeShared(workspace: Workspace): Promise<void> {
  const { shared } = placesOf(workspace)
  const names = [...INSTALLED.map(it => it.name), 'node', 'program', 'main', 'version']
  for (const name of names) await workspace.files.remove(join(shared, name))
  await rm(keptHusky(workspace), { recursive: true, force: true })
  for (const own of await ownFolders(workspace)) {
    await rm(join(own, 'compiled'), { recursive: true, force: true })
    await rmdir(own).catch(() => {})
  }
}

/** The folder that kotef has in the git directory of each worktree. */
export async function ownFolders({ commonDir, files }: Workspace): Promise<string[]> {
  const linked = await files.list(join(commonDir, 'worktrees'))
  return [commonDir, ...linked.map(it => join(commonDir, 'worktrees', it))].map(it => join(it, 'kotef'))
}
