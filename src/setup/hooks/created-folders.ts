import { rmdir } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'

/** Records a folder that kotef made, so that uninit removes it. */
export async function recordCreatedFolder(workspace: Workspace, folder: string): Promise<void> {
  const folders = [...(await readCreatedFolders(workspace)), folder].map(it => relative(workspace.commonDir, it))
  await workspace.files.replace(createdFoldersPath(workspace), `${[...new Set(folders)].join('\n')}\n`)
}

/** Removes the folders that kotef made, if they are empty. */
export async function removeCreatedFolders(workspace: Workspace): Promise<void> {
  for (const folder of await readCreatedFolders(workspace)) await rmdir(folder).catch(() => {})
  await workspace.files.remove(createdFoldersPath(workspace))
}

async function readCreatedFolders(workspace: Workspace): Promise<string[]> {
  const text = (await workspace.files.read(createdFoldersPath(workspace)))?.toString('utf8') ?? ''
  const paths = text.split('\n').filter(it => it !== '')
  return paths.map(it => (isAbsolute(it) ? it : join(workspace.commonDir, it)))
}

function createdFoldersPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'made-folders')
}
