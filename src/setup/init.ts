import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from '../workspace/compile.ts'
import { hooksFolder, type HooksFolder, wantedHooksFolder } from './hooks-folder.ts'
import { INSTALLED, installHooks, uninstallHooks } from './install.ts'
import { record } from '../workspace/record.ts'
import { scaffold } from './scaffold.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

export type Initialised = {
  readonly root: string
  /** The files that were written; what stood there already was left alone. */
  readonly created: readonly string[]
  readonly hooks: HooksFolder
}

/** Governs a repository: the files it needs, the git hooks, and what the hooks judge by. Doing it again is harmless. */
export async function initialise(workspace: Workspace, { hooks }: { hooks: string | null }): Promise<Initialised> {
  const folder = await wantedHooksFolder(workspace, hooks)
  const created = await scaffold(workspace)
  await installHooks(workspace, folder)
  await compile(workspace)
  if (created.length > 0) await record(workspace, [{ event: { event: 'initialised' } }])
  return { root: workspace.root, created, hooks: folder }
}

/** Takes kotef out of a clone: the hooks, and what they judge by. The governance files stay unless they are purged. */
export async function uninitialise(workspace: Workspace, { purge }: { purge: boolean }): Promise<string[]> {
  const { shared, own, compiled } = placesOf(workspace)
  const folders = [join(workspace.commonDir, 'hooks'), join(workspace.root, '.husky'), await folderInForce(workspace)]
  const removed: string[] = []
  for (const folder of new Set(folders)) removed.push(...(await uninstallHooks(folder)))
  for (const name of [...INSTALLED.map(it => it.name), 'node', 'main']) await workspace.files.remove(join(shared, name))
  await rm(compiled, { recursive: true, force: true })
  if (!purge) return removed
  for (const path of [join(workspace.root, '.orchestration'), own]) {
    await rm(path, { recursive: true, force: true })
    removed.push(path)
  }
  return removed
}

async function folderInForce(workspace: Workspace): Promise<string> {
  // A folder that other repositories use was never written to.
  const { folder } = await hooksFolder(workspace).catch(() => ({ folder: join(workspace.commonDir, 'hooks') }))
  return folder
}
