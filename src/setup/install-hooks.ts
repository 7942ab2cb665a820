import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isFolderWritable } from './hook-file.ts'
import { KotefError } from '../findings/failure.ts'
import { packageFile, VERSION } from '../io/files/package.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { configureHooks, unconfigureHooks } from './hooks/configured-hooks.ts'
import { writeEolAttributes } from './hooks/eol-attributes.ts'
import { installHooksProxy, removeHooksProxy } from './hooks/hooks-proxy.ts'
import { GIT_HOOKS } from './hooks/hook-block.ts'
import { addToHookFiles, removeFromHookFiles } from './hooks/hook-files.ts'
import type { HooksSetup } from './hooks/hooks-setup.ts'
import { readInstalledHooks } from './hooks/installed-hooks.ts'
import { saveHuskyFolder } from './hooks/husky.ts'
import { recordCreatedFolder } from './hooks/created-folders.ts'

/** What hooks run, as it stands in the package; it is copied to where every worktree of the clone finds it. */
export const INSTALLED_FILES: readonly { readonly name: string; readonly from: string }[] = [
  ...[...GIT_HOOKS, 'agent', 'common.sh', 'midway.sh', 'share.sh', 'tell.sh'].map(name => ({
    name,
    from: `hooks/${name}`,
  })),
  ...['hook.cjs', 'policy.cjs'].map(name => ({ name, from: `dist/${name}` })),
]

/** Installs what the hooks run, and has git call it before the user's own lines. Doing it again changes nothing. */
export async function installHooks(workspace: Workspace, hooks: HooksSetup): Promise<void> {
  const { found } = await readInstalledHooks(workspace)
  // Another package has brought them, and the newer one judges for both.
  if (found !== 'newer') await installSharedFiles(workspace)
  if (hooks.way !== 'config') await unconfigureHooks(workspace)
  if (hooks.way !== 'handing-on') await removeHooksProxy(workspace)
  if (hooks.way === 'config') await installInConfig(workspace, hooks)
  if (hooks.way === 'handing-on') await installHooksProxy(workspace)
  if (hooks.way === 'files') await installInFiles(workspace, hooks)
  if (hooks.manager === 'husky') await saveHuskyFolder(workspace, hooks.folder)
}

/** Copies what the hooks run to where every worktree finds it, whatever stands there. */
export async function installSharedFiles(workspace: Workspace): Promise<void> {
  const { shared } = layoutOf(workspace)
  const put = (name: string, bytes: Buffer | string, mode?: number) =>
    workspace.files.replace(join(shared, name), bytes, mode)
  // Read before anything is written, so that a package that is not whole leaves nothing half done.
  const parts = await Promise.all(
    INSTALLED_FILES.map(async it => ({ ...it, bytes: await readPackageFile(workspace, it.from) })),
  )
  for (const { name, bytes } of parts) await put(name, bytes, 0o755)
  // Programs without a PATH of ours still find node.
  await put('node', `${process.execPath}\n`)
  // Where agents find kotef, unless it lies beside what they work on.
  await put('program', `${packageFile('dist/main.cjs')}\n`)
  // Earlier versions asked the package itself, and kept its place here.
  await workspace.files.remove(join(shared, 'main'))
  // Last, so that it is true of all the others.
  await put('version', `${VERSION}\n`)
}

/** The bytes of a file of this package. */
export async function readPackageFile({ files }: Workspace, from: string): Promise<Buffer> {
  const bytes = await files.read(packageFile(from))
  if (bytes) return bytes
  throw new KotefError('package-missing', `${packageFile(from)} is not there: the package is not built.`)
}

/** Asked before anything is written, so that nothing is half done. */
export async function requireWritableHooks(workspace: Workspace, { way, folder }: HooksSetup): Promise<void> {
  const { shared } = layoutOf(workspace)
  for (const folderToWrite of [shared, way === 'files' ? folder : workspace.commonDir]) {
    if (!(await isFolderWritable(folderToWrite)))
      throw new KotefError('hooks-unwritable', `You may not write in ${folderToWrite}`)
  }
}

// A tracked hook file is the team's, and stays; both calls of one hook do what one does.
async function installInConfig(workspace: Workspace, { folder }: HooksSetup): Promise<void> {
  if (folder.startsWith(`${workspace.commonDir}/`)) await removeFromHookFiles(folder)
  await configureHooks(workspace)
}

async function installInFiles(workspace: Workspace, hooks: HooksSetup): Promise<void> {
  if (!existsSync(hooks.folder)) await recordCreatedFolder(workspace, hooks.folder)
  await addToHookFiles(workspace, hooks)
  await writeEolAttributes(workspace, hooks.folder)
}
