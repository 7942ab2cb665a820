import { rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { announceOwnWrite } from '../../worktree/own-writes.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import type { AgentFileChange } from './plan-agent-files.ts'

/** Writes the planned changes. When one fails, the others are undone. */
export async function writeFileChanges(workspace: Workspace, changes: readonly AgentFileChange[]): Promise<void> {
  const done: AgentFileChange[] = []
  try {
    for (const change of changes) {
      done.push(change)
      await putFile(workspace, change)
    }
  } catch (thrown) {
    for (const it of done) await putFile(workspace, { ...it, after: it.before }).catch(() => {})
    throw thrown
  }
}

async function putFile(workspace: Workspace, { path, after, mode }: AgentFileChange): Promise<void> {
  const file = join(workspace.root, path)
  if (after === null) return removeFileAndFolders(workspace, path)
  const bytes = Buffer.from(after)
  await announceOwnWrite(workspace, bytes)
  const found = await stat(file).catch(() => null)
  // A file keeps the permissions that a person gave it.
  await workspace.files.replace(file, bytes, found ? (found.mode & 0o7777) | (mode & 0o111) : mode)
}

// Also removes the folders that become empty.
async function removeFileAndFolders({ root, files }: Workspace, path: string): Promise<void> {
  await files.remove(join(root, path))
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const isGone = await rmdir(join(root, at)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}
