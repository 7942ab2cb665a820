import { rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { announceOwnWrite } from '../../workspace/own-writes.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Change } from './plan.ts'

/** Writes what was planned: all of it, or, when the disk refuses, nothing. */
export async function write(workspace: Workspace, changes: readonly Change[]): Promise<void> {
  const done: Change[] = []
  try {
    for (const change of changes) {
      done.push(change)
      await put(workspace, change)
    }
  } catch (thrown) {
    for (const it of done) await put(workspace, { ...it, after: it.before }).catch(() => {})
    throw thrown
  }
}

async function put(workspace: Workspace, { path, after, mode }: Change): Promise<void> {
  const file = join(workspace.root, path)
  if (after === null) return remove(workspace, path)
  const bytes = Buffer.from(after)
  await announceOwnWrite(workspace, bytes)
  const found = await stat(file).catch(() => null)
  // What a person made runnable, or private, stays so.
  await workspace.files.replace(file, bytes, found ? (found.mode & 0o7777) | (mode & 0o111) : mode)
}

// With the folders that nothing else is in.
async function remove({ root, files }: Workspace, path: string): Promise<void> {
  await files.remove(join(root, path))
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const isGone = await rmdir(join(root, at)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}
