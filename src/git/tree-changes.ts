import type { GitQuery } from './query.ts'
import { type PathChange, parseRawChanges } from './changes.ts'

/** The paths in which two trees differ, with mode and blob of both. */
export function changesBetweenTrees(from: string, to: string): GitQuery<PathChange[]> {
  return { args: ['diff-tree', '-r', '-z', '--no-renames', from, to], parse: parseRawChanges }
}
