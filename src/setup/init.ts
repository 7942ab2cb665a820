import { compile } from '../workspace/compile.ts'
import { record } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type HooksFolder, wantedHooksFolder, type Wish } from './hooks-folder.ts'
import { installHooks, refuseUnwritable } from './install.ts'
import { installedHooks } from './installed-hooks.ts'
import { purge } from './purge.ts'
import { scaffold } from './scaffold.ts'
import { uninstallHooks } from './uninstall.ts'

export type Initialised = {
  readonly root: string
  /** The files that were written; what stood there already was left alone. */
  readonly created: readonly string[]
  readonly hooks: HooksFolder
  /** The version of a newer kotef whose hooks are installed, and were left as they are; else null. */
  readonly newer: string | null
}

/** Governs a repository: the files it needs, the git hooks, and what the hooks judge by. Doing it again is harmless. */
export async function initialise(workspace: Workspace, wish: Wish): Promise<Initialised> {
  const hooks = await wantedHooksFolder(workspace, wish)
  await refuseUnwritable(workspace, hooks)
  const created = await scaffold(workspace)
  await installHooks(workspace, hooks)
  await compile(workspace)
  if (created.length > 0) await record(workspace, [{ event: { event: 'initialised' } }])
  const { found, version } = await installedHooks(workspace)
  return { root: workspace.root, created, hooks, newer: found === 'newer' ? version : null }
}

/** What was taken out of a clone, and what of kotef's files stays because somebody has worked on it. */
export type Uninitialised = { readonly removed: readonly string[]; readonly kept: readonly string[] }

/** Takes kotef out of a clone: the hooks, and what they judge by. The governance files stay unless they are purged. */
export async function uninitialise(
  workspace: Workspace,
  { purged }: { readonly purged: boolean },
): Promise<Uninitialised> {
  const removed = await uninstallHooks(workspace)
  if (!purged) return { removed, kept: [] }
  const files = await purge(workspace)
  return { removed: [...removed, ...files.removed], kept: files.kept }
}
