import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../io/git/blobs.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * When git came to have a blob, in milliseconds since 1970, by the clock that stamps files; -Infinity for a packed one,
 * of which nobody knows the time; null when git does not have it. Who knows that it `exists` need not have it read.
 */
export async function blobMadeAt(
  workspace: Workspace,
  blobs: Blobs,
  { oid, exists }: { oid: string; exists: boolean },
): Promise<number | null> {
  const made = await looseSince(workspace, oid)
  if (made !== null) return made
  if (exists) return -Infinity
  if ((await isPartial(workspace)) || !(await blobs.read(oid))) return null
  // Git may have made it since.
  return (await looseSince(workspace, oid)) ?? -Infinity
}

/**
 * When git made a loose object; null when there is none. Git stamps an object anew whenever it would make it once more,
 * as for a look at what a merge comes to, but it stays the file that it was.
 */
export async function looseSince(workspace: Workspace, oid: string): Promise<number | null> {
  const object = await looseObject(workspace, oid)
  return object && Math.min(object.mtimeMs, object.birthtimeMs || object.mtimeMs)
}

/** When git last made a loose object, or would have made it once more; null when there is none. */
export async function stampOf(workspace: Workspace, oid: string): Promise<number | null> {
  return (await looseObject(workspace, oid))?.mtimeMs ?? null
}

function looseObject({ commonDir }: Workspace, oid: string): Promise<Stats | null> {
  return stat(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => null)
}

// A partial clone would fetch what it does not have.
async function isPartial({ files, commonDir }: Workspace): Promise<boolean> {
  return (await files.list(join(commonDir, 'objects/pack'))).some(it => it.endsWith('.promisor'))
}

/** True when objects were packed after a time: of what is in packs, nobody can say then that it is older. */
export async function packedSince({ files, commonDir }: Workspace, since: number): Promise<boolean> {
  return ((await files.modifiedAt(join(commonDir, 'objects/pack'))) ?? -Infinity) >= since
}

/** Tells what git would make of files, through its filters; only where there may be any, as it takes a process each. */
export function cleanerOf({ git }: Workspace): (path: string, bytes: Buffer | null) => Promise<string | null> {
  const filters = git.tryAsk({ args: ['config', '--get-regexp', '^filter\\.'], parse: out => out !== '' })
  let left = FILES_MAX
  return async (path, bytes) => {
    const isFiltered = bytes?.includes('\r\n') || (await filters)
    if (!isFiltered || left-- <= 0) return null
    return git.tryAsk({ args: ['hash-object', '--', path], parse: out => out.trim() || null })
  }
}

const FILES_MAX = 100
