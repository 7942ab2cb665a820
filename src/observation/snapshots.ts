import { join } from 'node:path'
import { blobOid } from '../git/blob-oid.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

// What a changed file held when it was last recorded is in neither git nor the ledger, and the next diff needs it. One
// copy of each such file stays in the git directory, under its blob oid, until the file changes again or is clean.

/** Keeps bytes under their oid. */
export async function keepSnapshot(workspace: Workspace, oid: string, bytes: Buffer): Promise<void> {
  await workspace.files.put(snapshotPath(workspace, oid), bytes)
}

/** The bytes kept under an oid, or null when they are gone or damaged. */
export async function readSnapshot(workspace: Workspace, oid: string): Promise<Buffer | null> {
  const bytes = await workspace.files.read(snapshotPath(workspace, oid))
  return bytes && blobOid(bytes) === oid ? bytes : null
}

/** Removes every snapshot that nobody needs any more. */
export async function pruneSnapshots(workspace: Workspace, needed: ReadonlySet<string>): Promise<void> {
  const folder = ownPath(workspace, 'snapshots')
  const names = await workspace.files.list(folder)
  for (const name of names) if (!needed.has(name)) await workspace.files.remove(join(folder, name))
}

function snapshotPath(workspace: Workspace, oid: string): string {
  return ownPath(workspace, 'snapshots', oid)
}
