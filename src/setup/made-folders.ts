import { rmdir } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Notes that a folder is of our making, so that it goes when we go. */
export async function noteMade(workspace: Workspace, folder: string): Promise<void> {
  const made = [...(await madeFolders(workspace)), folder].map(it => relative(workspace.commonDir, it))
  await workspace.files.replace(noteOf(workspace), `${[...new Set(made)].join('\n')}\n`)
}

/** Removes the folders that we made, as far as they are empty now. */
export async function removeMade(workspace: Workspace): Promise<void> {
  for (const folder of await madeFolders(workspace)) await rmdir(folder).catch(() => {})
  await workspace.files.remove(noteOf(workspace))
}

async function madeFolders(workspace: Workspace): Promise<string[]> {
  const text = (await workspace.files.read(noteOf(workspace)))?.toString('utf8') ?? ''
  const paths = text.split('\n').filter(it => it !== '')
  return paths.map(it => (isAbsolute(it) ? it : join(workspace.commonDir, it)))
}

function noteOf(workspace: Workspace): string {
  return join(placesOf(workspace).shared, 'made-folders')
}
