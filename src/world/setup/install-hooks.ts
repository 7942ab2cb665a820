import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rm, rmdir } from 'node:fs/promises'
import { isFolderWritable } from './hook-file.ts'
import { KotefError } from '../../core/base/failure.ts'
import { packageFile, VERSION } from '../io/files/package.ts'
import { layoutOf, ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { configureHooks, unconfigureHooks } from './hooks/configured-hooks.ts'
import { includeLedger, removeEolAttributes, writeEolAttributes } from './git-info-files.ts'
import { installHooksProxy, removeHooksProxy } from './hooks/hooks-proxy.ts'
import { GIT_HOOKS } from './hooks/hook-block.ts'
import { configureMergeDriver, unconfigureMergeDriver } from './merge-driver.ts'
import { addToHookFiles, recordCreatedFolder, removeCreatedFolders, removeFromHookFiles } from './hooks/hook-files.ts'
import {
  currentHooksSetup,
  type HooksSetup,
  restoreHuskyFolder,
  savedHuskyPath,
  saveHuskyFolder,
} from './hooks/hooks-setup.ts'
import { type InstalledHooks, readInstalledHooks } from './hooks/installed-hooks.ts'
import { detectHooks } from './hooks/detect-hooks.ts'

const SHELL_PARTS = ['common.sh', 'enqueue.sh', 'merge-state.sh', 'watch.sh']

/** The files of the package that are copied to the folder shared by all worktrees of the clone. */
export const INSTALLED_FILES: readonly { readonly name: string; readonly from: string }[] = [
  ...[...GIT_HOOKS, 'agent', 'merge-registry', ...SHELL_PARTS].map(name => ({
    name,
    from: `hooks/${name}`,
  })),
  ...['hook.cjs', 'hook-program.cjs', 'policy.cjs', 'policy-program.cjs'].map(name => ({ name, from: `dist/${name}` })),
]

/** Installs the hooks' scripts, and makes git call them before the user's own lines. A second run changes nothing. */
export async function installHooks(workspace: Workspace, hooks: HooksSetup): Promise<void> {
  const { found } = await readInstalledHooks(workspace)
  // A newer kotef has installed its scripts, which judge for both versions.
  if (found !== 'newer') await installSharedFiles(workspace)
  if (found !== 'newer') await configureMergeDriver(workspace)
  if (hooks.way !== 'config') await unconfigureHooks(workspace)
  if (hooks.way !== 'handing-on') await removeHooksProxy(workspace)
  if (hooks.way === 'config') await installInConfig(workspace, hooks)
  if (hooks.way === 'handing-on') await installHooksProxy(workspace)
  if (hooks.way === 'files') await installInFiles(workspace, hooks)
  if (hooks.manager === 'husky') await saveHuskyFolder(workspace, hooks.folder)
}

/** Copies the hooks' scripts to the folder shared by all worktrees, and replaces existing ones. */
export async function installSharedFiles(workspace: Workspace): Promise<void> {
  const { shared } = layoutOf(workspace)
  const put = (name: string, bytes: Buffer | string, mode?: number) =>
    workspace.files.replace(join(shared, name), bytes, mode)
  // All files are read before the first is written, so that an incomplete package changes nothing.
  const parts = await Promise.all(
    INSTALLED_FILES.map(async it => ({ ...it, bytes: await readPackageFile(workspace, it.from) })),
  )
  for (const { name, bytes } of parts) await put(name, bytes, 0o755)
  // Graphical git clients may have a PATH without node.
  await put('node', `${process.execPath}\n`)
  // Where agents find kotef if it is not in a node_modules above their folder.
  await put('program', `${packageFile('dist/main.cjs')}\n`)
  // Files of earlier versions: the one called the package itself, the other shared notes.
  for (const name of ['main', 'share.sh']) await workspace.files.remove(join(shared, name))
  // Written last: the version is valid only when all other files are there.
  await put('version', `${VERSION}\n`)
}

/** The most bytes of a file of this package: a program is larger than what a person writes. */
export const PROGRAM_BYTES_MAX = 16 * 1_048_576

/** The bytes of a file of this package. */
export async function readPackageFile({ files }: Workspace, from: string): Promise<Buffer> {
  const bytes = await files.read(packageFile(from), PROGRAM_BYTES_MAX)
  if (bytes) return bytes
  throw new KotefError('package-missing', `${packageFile(from)} does not exist: the package is not built.`)
}

/** Throws when a hook file can't be written. Called before the first change. */
export async function requireWritableHooks(workspace: Workspace, { way, folder }: HooksSetup): Promise<void> {
  const { shared } = layoutOf(workspace)
  for (const folderToWrite of [shared, way === 'files' ? folder : workspace.commonDir]) {
    if (!(await isFolderWritable(folderToWrite)))
      throw new KotefError('hooks-unwritable', `You may not write in ${folderToWrite}`)
  }
}

// A tracked hook file belongs to the team, and stays. Two calls of kotef in one hook have the effect of one.
async function installInConfig(workspace: Workspace, { folder }: HooksSetup): Promise<void> {
  if (folder.startsWith(`${workspace.commonDir}/`)) await removeFromHookFiles(folder)
  await configureHooks(workspace)
}

async function installInFiles(workspace: Workspace, hooks: HooksSetup): Promise<void> {
  if (!existsSync(hooks.folder)) await recordCreatedFolder(workspace, hooks.folder)
  await addToHookFiles(workspace, hooks)
  await writeEolAttributes(workspace, hooks.folder)
}

/** Removes kotef from all hooks of this clone, byte for byte, and returns the places that had it. */
export async function uninstallHooks(workspace: Workspace): Promise<string[]> {
  const removed: string[] = []
  if (await removeHooksProxy(workspace)) removed.push('core.hooksPath')
  if ((await unconfigureHooks(workspace)) > 0) removed.push('hook.kotef-* in the config of this clone')
  if (await unconfigureMergeDriver(workspace)) removed.push('merge.kotef-registry in the config of this clone')
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
  if (found === 'newer') return husky
  const driver = (await configureMergeDriver(workspace)) ? ["the registry's merge driver"] : []
  const hooks = await currentHooksSetup(workspace).catch(() => null)
  return [...husky, ...driver, ...(hooks ? await restoreHookCalls(workspace, hooks) : [])]
}

// Tracked files belong to the team: a commit has to restore them, and the doctor names them.
async function restoreHookCalls(workspace: Workspace, hooks: HooksSetup): Promise<string[]> {
  if (hooks.way === 'config') await configureHooks(workspace)
  if (hooks.way === 'handing-on') await installHooksProxy(workspace)
  const isOurs = hooks.way === 'files' && hooks.folder.startsWith(`${workspace.commonDir}/`)
  return isOurs ? addToHookFiles(workspace, hooks) : []
}
