import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../io/blobs.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A blob, the time to compare with (milliseconds since 1970), and whether git surely has the blob. */
export type Question = { readonly oid: string; readonly modifiedAt: number; readonly exists?: boolean }

/**
 * Whether git knew a blob when a file was written. Both are stamped by one clock, so different stamps have an order;
 * within a tick of that clock they are equal. What was packed was known before.
 */
export async function learntAt(
  { commonDir, files }: Workspace,
  blobs: Blobs,
  { oid, modifiedAt, exists = false }: Question,
): Promise<'before' | 'at-once' | 'after' | 'never'> {
  const made = await madeAt(commonDir, oid)
  if (made === null) return exists || (!(await isPartial()) && (await blobs.read(oid))) ? 'before' : 'never'
  if (made === modifiedAt) return 'at-once'
  return made < modifiedAt ? 'before' : 'after'

  // A partial clone would fetch what it does not have.
  async function isPartial(): Promise<boolean> {
    return (await files.list(join(commonDir, 'objects/pack'))).some(it => it.endsWith('.promisor'))
  }
}

/**
 * When git made a loose object; null when there is none. Git stamps an object anew whenever it would make it once more,
 * as for a look at what a merge comes to, but it stays the file that it was.
 */
async function madeAt(commonDir: string, oid: string): Promise<number | null> {
  const object = await stat(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => null)
  return object && Math.min(object.mtimeMs, object.birthtimeMs || object.mtimeMs)
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
