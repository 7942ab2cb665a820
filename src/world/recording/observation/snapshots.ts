import { join } from 'node:path'
import { blobOid } from '../../../core/git/blob-oid.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'

// The next diff of a changed file needs its last recorded content, which is in neither git nor the ledger. So one copy
// of each such file is kept in the git directory, named by its blob oid, until the file changes again or is clean.

/** Saves a snapshot. */
export async function keepSnapshot(workspace: Workspace, oid: string, bytes: Buffer): Promise<void> {
  await workspace.files.put(snapshotPath(workspace, oid), bytes)
}

/** The bytes of a snapshot; null when it is absent or damaged. */
export async function readSnapshot(workspace: Workspace, oid: string): Promise<Buffer | null> {
  const bytes = await workspace.files.read(snapshotPath(workspace, oid), LARGE_FILE_BYTES_MAX)
  return bytes && blobOid(bytes) === oid ? bytes : null
}

/** Removes every snapshot that is not needed. */
export async function pruneSnapshots(workspace: Workspace, needed: ReadonlySet<string>): Promise<void> {
  const folder = ownPath(workspace, 'snapshots')
  const names = await workspace.files.list(folder)
  for (const name of names) if (!needed.has(name)) await workspace.files.remove(join(folder, name))
}

function snapshotPath(workspace: Workspace, oid: string): string {
  return ownPath(workspace, 'snapshots', oid)
}
