import type { GitQuery } from './query.ts'
import { type Change, parseRaw } from './staged.ts'

/** The paths in which two trees differ, with what each has there. */
export function changesBetween(from: string, to: string): GitQuery<Change[]> {
  return { args: ['diff-tree', '-r', '-z', '--no-renames', from, to], parse: parseRaw }
}

/** The paths in which two trees differ, with the second one's blobs; null where it has none. */
export function blobsBetween(from: string, to: string): GitQuery<Map<string, string | null>> {
  const { args, parse } = changesBetween(from, to)
  return { args, parse: out => new Map(parse(out).map(it => [it.path, it.after?.oid ?? null])) }
}
