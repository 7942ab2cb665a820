import type { PathChange } from '../../core/git/changes.ts'
import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import { autoMerge, commitOfTree } from '../../core/git/merges.ts'
import type { GitQuery } from '../../core/git/query.ts'
import type { StagedFacts } from '../../core/rules/commit-facts.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'

/** A commit, made or about to be made, whose message says that it was made from others. */
export type DerivedCommit = {
  /** The commit that it is made on; null when it has no parent. */
  readonly parent: string | null
  readonly changes: readonly PathChange[]
  /** Asks at which paths the commit differs from a tree. */
  readonly pathsSince: (tree: string) => GitQuery<string[]>
}

type ReworkedPaths = Required<Pick<StagedFacts, 'reworked' | 'settled'>>

/** Gathers whose content does not come from the source commits: a message alone proves nothing about it. */
export function* gatherReworked(commit: DerivedCommit, sources: readonly Commit[]): Gatherer<ReworkedPaths> {
  if (sources.length === 0) return { reworked: [], settled: [] }
  const { parent, changes, pathsSince } = commit
  const known = sources.flatMap(it => it.changes)
  let left = changes.filter(it => !known.some(change => hasContentOf(it, change))).map(it => it.path)
  if (parent === null) return { reworked: left, settled: [] }
  const conflicted = new Set<string>()
  const steps = [...sources.slice(0, REPLAYS_MAX).flatMap(it => replaysOf(it, parent)), ...squashesOf(sources, parent)]
  for (const step of steps) {
    if (left.length === 0) break
    const merge = yield* step()
    for (const path of merge?.conflicted ?? left) conflicted.add(path)
    const apart = merge && (yield* tryAskGit(pathsSince(merge.tree)))
    if (merge && apart) left = left.filter(it => apart.includes(it) || merge.conflicted.includes(it))
  }
  const settled = left.filter(it => conflicted.has(it))
  const reworked = left.filter(it => !conflicted.has(it))
  return { reworked, settled }
}

// More commits than this are squashed at once only by a merge, and that is tried as a whole.
const REPLAYS_MAX = 8

function hasContentOf({ path, after }: PathChange, source: PathChange): boolean {
  const isEnd = (end: PathChange['after']) => end?.oid === after?.oid && end?.mode === after?.mode
  return source.path === path && (isEnd(source.before) || isEnd(source.after))
}

// Null where git can't merge without a worktree, as before 2.38: then every path counts as in conflict.
type Replay = () => Gatherer<{ readonly tree: string; readonly conflicted: readonly string[] } | null>

/** What git makes of a commit on top of another one, when it picks the commit and when it reverts it. */
function replaysOf({ oid, parents }: Commit, onto: string): Replay[] {
  return parents.flatMap(before => [
    () => threeWay(oid, { ours: onto, theirs: before }),
    () => threeWay(before, { ours: onto, theirs: oid }),
  ])
}

function squashesOf(sources: readonly Commit[], onto: string): Replay[] {
  return sources.slice(0, REPLAYS_MAX).map(it => () => tryAskGit(autoMerge(onto, it.oid)))
}

// `merge-tree --merge-base` needs git 2.40. Two commits on top of the base have that merge base with any git.
function* threeWay(base: string, { ours, theirs }: { readonly ours: string; readonly theirs: string }) {
  const one = yield* tryAskGit(commitOfTree(ours, base))
  const other = yield* tryAskGit(commitOfTree(theirs, base))
  return one && other ? yield* tryAskGit(autoMerge(one, other)) : null
}
