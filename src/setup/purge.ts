import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeClaims } from '../sessions/claims.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { isUnchangedScaffold, SCAFFOLD_PATHS } from './scaffold.ts'
import { listRuntimeFolders } from './uninstall-hooks.ts'

/** Removes kotef's data in this clone, and those of its files that were not edited since they were made. */
export async function purgeFiles(workspace: Workspace): Promise<{ removed: string[]; kept: string[] }> {
  const removed: string[] = []
  const kept: string[] = []
  for (const path of SCAFFOLD_PATHS) {
    const bytes = await workspace.files.read(join(workspace.root, path)).catch(() => null)
    if (bytes === null) continue
    if (!isUnchangedScaffold(path, bytes.toString('utf8'))) kept.push(path)
    else removed.push(await removeScaffoldFile(workspace, path))
  }
  await removeRuntimeFiles(workspace)
  const folders = SCAFFOLD_PATHS.map(it => dirname(it)).filter(it => it !== '.')
  for (const folder of new Set(folders)) await rmdir(join(workspace.root, folder)).catch(() => {})
  return { removed, kept }
}

async function removeScaffoldFile({ root, files }: Workspace, path: string): Promise<string> {
  await files.remove(join(root, path))
  return path
}

// The untracked files: the ledger, the caches, and the folder of each worktree in its git directory.
async function removeRuntimeFiles(workspace: Workspace): Promise<void> {
  // A damaged file is of no use without kotef.
  await removeClaims(workspace).catch(() => {})
  const { root, files } = workspace
  const runtime = (await files.list(join(root, '.orchestration'))).filter(it => /^\.flush-|\.tmp$/.test(it))
  const ledger = layoutOf(workspace).ledger
  const inTree = [ledger, join(root, '.sdd/cache'), ...runtime.map(it => join(root, '.orchestration', it))]
  for (const path of [...inTree, ...(await listRuntimeFolders(workspace))])
    await rm(path, { recursive: true, force: true })
}
