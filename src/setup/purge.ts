import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeClaims } from '../workspace/claims.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { isScaffold, SCAFFOLDED } from './scaffold.ts'
import { ownFolders } from './uninstall.ts'

/** Removes what kotef keeps in this clone, and of its files those that nobody has changed since they were made. */
export async function purge(workspace: Workspace): Promise<{ removed: string[]; kept: string[] }> {
  const removed: string[] = []
  const kept: string[] = []
  for (const path of SCAFFOLDED) {
    const bytes = await workspace.files.read(join(workspace.root, path)).catch(() => null)
    if (bytes === null) continue
    if (!isScaffold(path, bytes.toString('utf8'))) kept.push(path)
    else removed.push(await withoutFile(workspace, path))
  }
  await removeRuntime(workspace)
  const folders = SCAFFOLDED.map(it => dirname(it)).filter(it => it !== '.')
  for (const folder of new Set(folders)) await rmdir(join(workspace.root, folder)).catch(() => {})
  return { removed, kept }
}

async function withoutFile({ root, files }: Workspace, path: string): Promise<string> {
  await files.remove(join(root, path))
  return path
}

// What git ignores: the ledger, what is cached, and what each worktree has in its git directory.
async function removeRuntime(workspace: Workspace): Promise<void> {
  // What is damaged is nothing to anybody without kotef.
  await removeClaims(workspace).catch(() => {})
  const { root, files } = workspace
  const runtime = (await files.list(join(root, '.orchestration'))).filter(it => /^\.flush-|\.tmp$/.test(it))
  const ledger = placesOf(workspace).ledger
  const inTree = [ledger, join(root, '.sdd/cache'), ...runtime.map(it => join(root, '.orchestration', it))]
  for (const path of [...inTree, ...(await ownFolders(workspace))]) await rm(path, { recursive: true, force: true })
}
