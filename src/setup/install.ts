import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isWritable } from '../io/hook-file.ts'
import { KotefError } from '../report/failure.ts'
import { packageFile, VERSION } from '../package.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { configureHooks, unconfigureHooks } from './configured-hooks.ts'
import { keepLineEnds } from './line-ends.ts'
import { handOn, stopHandingOn } from './handing-on.ts'
import { HOOKS } from './hook-block.ts'
import { joinHooks, leaveHooks } from './hook-files.ts'
import type { HooksFolder } from './hooks-folder.ts'
import { installedHooks } from './installed-hooks.ts'
import { keepHusky } from './husky.ts'
import { noteMade } from './made-folders.ts'

/** What hooks run, as it stands in the package; it is copied to where every worktree of the clone finds it. */
export const INSTALLED: readonly { readonly name: string; readonly from: string }[] = [
  ...[...HOOKS, 'agent', 'common.sh', 'midway.sh', 'share.sh', 'tell.sh'].map(name => ({
    name,
    from: `hooks/${name}`,
  })),
  ...['hook.cjs', 'policy.cjs'].map(name => ({ name, from: `dist/${name}` })),
]

/** Installs what the hooks run, and has git call it before the user's own lines. Doing it again changes nothing. */
export async function installHooks(workspace: Workspace, hooks: HooksFolder): Promise<void> {
  const { found } = await installedHooks(workspace)
  // Another package has brought them, and the newer one judges for both.
  if (found !== 'newer') await installShared(workspace)
  if (hooks.way !== 'config') await unconfigureHooks(workspace)
  if (hooks.way !== 'handing-on') await stopHandingOn(workspace)
  if (hooks.way === 'config') await callFromConfig(workspace, hooks)
  if (hooks.way === 'handing-on') await handOn(workspace)
  if (hooks.way === 'files') await callFromFiles(workspace, hooks)
  if (hooks.manager === 'husky') await keepHusky(workspace, hooks.folder)
}

/** Copies what the hooks run to where every worktree finds it, whatever stands there. */
export async function installShared(workspace: Workspace): Promise<void> {
  const { shared } = placesOf(workspace)
  const put = (name: string, bytes: Buffer | string, mode?: number) =>
    workspace.files.replace(join(shared, name), bytes, mode)
  // Read before anything is written, so that a package that is not whole leaves nothing half done.
  const parts = await Promise.all(INSTALLED.map(async it => ({ ...it, bytes: await packaged(workspace, it.from) })))
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
export async function packaged({ files }: Workspace, from: string): Promise<Buffer> {
  const bytes = await files.read(packageFile(from))
  if (bytes) return bytes
  throw new KotefError('package-missing', `${packageFile(from)} is not there: the package is not built.`)
}

/** Asked before anything is written, so that nothing is half done. */
export async function refuseUnwritable(workspace: Workspace, { way, folder }: HooksFolder): Promise<void> {
  const { shared } = placesOf(workspace)
  for (const place of [shared, way === 'files' ? folder : workspace.commonDir]) {
    if (!(await isWritable(place))) throw new KotefError('hooks-unwritable', `You may not write in ${place}`)
  }
}

// A tracked hook file is the team's, and stays; both calls of one hook do what one does.
async function callFromConfig(workspace: Workspace, { folder }: HooksFolder): Promise<void> {
  if (folder.startsWith(`${workspace.commonDir}/`)) await leaveHooks(folder)
  await configureHooks(workspace)
}

async function callFromFiles(workspace: Workspace, hooks: HooksFolder): Promise<void> {
  if (!existsSync(hooks.folder)) await noteMade(workspace, hooks.folder)
  await joinHooks(workspace, hooks)
  await keepLineEnds(workspace, hooks.folder)
}
