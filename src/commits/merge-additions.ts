import { type PathChange, stagedChanges } from '../git/changes.ts'
import { askGit, type Gatherer, tryAskGit } from '../git/gatherer.ts'
import { autoMerge, changedPaths, mergeAdditions, type MergeAdditions } from '../git/merges.ts'
import type { GitQuery } from '../git/query.ts'
import { type GitOperation, mergedCommits } from './git-operation.ts'

/** The changes that the merge in progress adds to its sides; null when there is no merge. */
export function* pendingMerge(context: GitOperation): Gatherer<MergeAdditions | null> {
  const others = yield* mergedCommits(context)
  if (others.length === 0) return null
  let changes = yield* askGit(stagedChanges('HEAD'))
  for (const side of others) {
    const paths = new Set(yield* askGit(stagedPaths(side)))
    changes = changes.filter(it => paths.has(it.path))
  }
  if (changes.length === 0) return { changes, conflicted: [] }
  return yield* comparedWithAutoMerge({ sides: ['HEAD', ...others], changes, pathsSince: stagedPaths })
}

function stagedPaths(tree: string): GitQuery<string[]> {
  const { args, parse } = stagedChanges(tree)
  return { args, parse: out => parse(out).map(it => it.path) }
}

/** A merge that is made or about to be made, and its changes that differ from every side. */
export type ComparedMerge = {
  readonly sides: readonly string[]
  readonly changes: readonly PathChange[]
  /** Asks at which paths the merge differs from a tree. */
  readonly pathsSince: (tree: string) => GitQuery<string[]>
}

/**
 * Of a merge's changes, those that git would not have made by itself. Git merges only two sides by itself (since
 * 2.38); else every path counts as in conflict at which the sides differ.
 */
export function* comparedWithAutoMerge({ sides, changes, pathsSince }: ComparedMerge): Gatherer<MergeAdditions> {
  const [ours = '', theirs = '', ...more] = sides
  const merge = more.length === 0 ? yield* tryAskGit(autoMerge(ours, theirs)) : null
  if (merge) return mergeAdditions(changes, { ...merge, edited: yield* askGit(pathsSince(merge.tree)) })
  const apart: string[][] = []
  for (const side of [theirs, ...more]) apart.push(yield* askGit(changedPaths(ours, side)))
  return mergeAdditions(changes, { conflicted: apart.flat(), edited: null })
}
