import type { GitQuery } from './query.ts'
import { type PathChange, parseRawChanges } from './changes.ts'

/** The paths in which two trees differ, with mode and blob of both. */
export function changesBetweenTrees(from: string, to: string): GitQuery<PathChange[]> {
  return { args: ['diff-tree', '-r', '-z', '--no-renames', from, to], parse: parseRawChanges }
}

/** The paths in which two trees differ, with the blob of the second tree; null where it has none. */
export function changedBlobs(from: string, to: string): GitQuery<Map<string, string | null>> {
  const { args, parse } = changesBetweenTrees(from, to)
  return { args, parse: out => new Map(parse(out).map(it => [it.path, it.after?.oid ?? null])) }
}
