import type { GitQuery } from './query.ts'
import { parseRaw } from './staged.ts'

/** The paths in which two trees differ, with the second one's blobs; null where it has none. */
export function blobsBetween(from: string, to: string): GitQuery<Map<string, string | null>> {
  return {
    args: ['diff-tree', '-r', '-z', '--no-renames', from, to],
    parse: out => new Map(parseRaw(out).map(it => [it.path, it.after?.oid ?? null])),
  }
}
