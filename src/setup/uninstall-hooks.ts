import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { layoutOf, ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { unconfigureHooks } from './hooks/configured-hooks.ts'
import { removeHooksProxy } from './hooks/hooks-proxy.ts'
import { includeLedger } from './exclude-ledger.ts'
import { removeFromHookFiles } from './hooks/hook-files.ts'
import { detectHooks } from './hooks/detect-hooks.ts'
import { savedHuskyPath } from './hooks/husky.ts'
import { INSTALLED_FILES } from './install-hooks.ts'
import { removeEolAttributes } from './hooks/eol-attributes.ts'
import { removeCreatedFolders } from './hooks/created-folders.ts'

/** Removes kotef from all hooks of this clone, byte for byte, and returns the places that had it. */
export async function uninstallHooks(workspace: Workspace): Promise<string[]> {
  const removed: string[] = []
  if (await removeHooksProxy(workspace)) removed.push('core.hooksPath')
  if ((await unconfigureHooks(workspace)) > 0) removed.push('hook.kotef-* in the config of this clone')
  const { folder, location } = await detectHooks(workspace)
  // kotef never writes to a folder that other repositories use.
  const inForce = location === 'clone' ? [folder] : []
  for (const it of new Set([join(workspace.commonDir, 'hooks'), join(workspace.root, '.husky'), ...inForce])) {
    removed.push(...(await removeFromHookFiles(it)))
    if (await removeEolAttributes(workspace, it)) removed.push(join(it, '.gitattributes'))
  }
  await includeLedger(workspace)
  await removeCreatedFolders(workspace)
  await removeSharedFiles(workspace)
  return removed
}

async function removeSharedFiles(workspace: Workspace): Promise<void> {
  const { shared } = layoutOf(workspace)
  const names = [...INSTALLED_FILES.map(it => it.name), 'node', 'program', 'main', 'version']
  for (const name of names) await workspace.files.remove(join(shared, name))
  await rm(savedHuskyPath(workspace), { recursive: true, force: true })
  for (const own of await listRuntimeFolders(workspace)) {
    await rm(join(own, 'compiled'), { recursive: true, force: true })
    await rmdir(own).catch(() => {})
  }
}

/** kotef's folder in the git directory of each worktree. */
export async function listRuntimeFolders({ commonDir, files }: Workspace): Promise<string[]> {
  const linked = await files.list(join(commonDir, 'worktrees'))
  return [commonDir, ...linked.map(it => join(commonDir, 'worktrees', it))].map(gitDir => ownPath({ gitDir }))
}
