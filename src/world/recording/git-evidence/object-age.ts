import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../../io/git/blobs.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/**
 * When git made a blob, in milliseconds since 1970, by the clock that stamps files; -Infinity for a packed one, whose
 * time is not known; null when git does not have it. Of a blob that is known to exist, git is not asked.
 */
export async function blobMadeAt(
  workspace: Workspace,
  blobs: Blobs,
  { oid, exists }: { readonly oid: string; readonly exists: boolean },
): Promise<number | null> {
  const made = await looseCreatedAt(workspace, oid)
  if (made !== null) return made
  if (exists) return -Infinity
  if ((await isPartial(workspace)) || !(await blobs.read(oid))) return null
  // Git may have made it since.
  return (await looseCreatedAt(workspace, oid)) ?? -Infinity
}

/**
 * When git made a loose object; null when there is none. Git stamps an object again whenever it would make it once
 * more, as when it computes the result of a merge, but the file stays the same.
 */
export async function looseCreatedAt(workspace: Workspace, oid: string): Promise<number | null> {
  const object = await looseObject(workspace, oid)
  return object && Math.min(object.mtimeMs, object.birthtimeMs || object.mtimeMs)
}

/** When git last made a loose object, or would have made it once more; null when there is none. */
export async function looseTouchedAt(workspace: Workspace, oid: string): Promise<number | null> {
  return (await looseObject(workspace, oid))?.mtimeMs ?? null
}

function looseObject({ commonDir }: Workspace, oid: string): Promise<Stats | null> {
  return stat(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => null)
}

// A partial clone would fetch what it does not have.
async function isPartial({ files, commonDir }: Workspace): Promise<boolean> {
  return (await files.list(join(commonDir, 'objects/pack'))).some(it => it.endsWith('.promisor'))
}

/** Whether objects were packed after a time: then a packed object may be newer than it. */
export async function wasPackedSince(workspace: Workspace, since: number): Promise<boolean> {
  return (await lastPackedAt(workspace)) >= since
}

/** When objects were last packed: what is packed was made before. -Infinity when nothing was. */
export async function lastPackedAt({ files, commonDir }: Workspace): Promise<number> {
  return (await files.modifiedAt(join(commonDir, 'objects/pack'))) ?? -Infinity
}
