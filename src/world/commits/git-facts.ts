import { join } from 'node:path'
import { emptyTree, type PathChange, stagedChanges } from '../../core/git/changes.ts'
import { askGit, type Gatherer, readBytes, tryAskGit } from '../../core/git/gatherer.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import type { BroughtChanges } from '../../core/rules/brought-changes.ts'
import { gatherBrought, hasRegistry } from './brought-changes.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { StagedFacts } from '../../core/rules/commit-facts.ts'
import { policyInHead } from '../../core/intents/scope/compiled-policy.ts'
import { referencedCommits } from '../../core/git/trailers/commits.ts'
import {
  commitsInProgress,
  commitsMadeAgain,
  isRebasing,
  type GitOperation,
  mergedCommits,
} from '../../core/git/git-operation.ts'
import { inheritedWorkLookup } from './source-commits.ts'
import { gatherReworked } from './source-content.ts'
import { autoMerge, changedPaths, mergeAdditions, type MergeAdditions } from '../../core/git/merges.ts'

/** The facts of the commit that is about to be made, as far as git and its files show them. */
export type GitFacts = Pick<
  StagedFacts,
  'changes' | 'conflicted' | 'inherited' | 'reworked' | 'settled' | 'adoption'
> & {
  /** What a merge brings from a history that nobody judged; null for nothing. */
  readonly broughtChanges: BroughtChanges | null
}

/** Gathers the facts of the commit that is about to be made; `message` is empty until there is one. */
export function* gatherGitFacts(operation: GitOperation, message = ''): Gatherer<GitFacts> {
  const merge = yield* pendingMerge(operation)
  const changes = merge?.changes ?? (yield* changesSinceHead())
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  return {
    changes,
    conflicted: merge && merge.conflicted,
    broughtChanges: merge && (yield* broughtByMerge(operation)),
    ...(yield* stagedInheritedWork(operation, { message, changes })),
    adoption: Boolean(registry && !registry.before && registry.after) && !(yield* isRegistryInHead()),
  }
}

// Only an unborn HEAD is compared with the empty tree. If HEAD has a tree, git is asked again, and its failure thrown.
function* changesSinceHead(): Gatherer<PathChange[]> {
  const changes = yield* tryAskGit(stagedChanges('HEAD'))
  return changes ?? (yield* askGit(stagedChanges((yield* tryAskGit(headTree)) || (yield* askGit(emptyTree)))))
}

const headTree: GitQuery<string> = {
  args: ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'],
  parse: out => out.trim(),
}

// The registry can differ from every side of a merge, and be in HEAD.
function* isRegistryInHead(): Gatherer<boolean> {
  const entries = (yield* tryAskGit(policyInHead)) ?? ''
  return entries.split('\0').some(it => it.endsWith(`\t${REGISTRY_PATH}`))
}

/** The work of the commits that this one is made from: picked, reverted or squashed ones. */
function* stagedInheritedWork(
  operation: GitOperation,
  { message, changes }: Pick<GitFacts, 'changes'> & { readonly message: string },
): Gatherer<LentWork> {
  const named = [...(yield* commitsInProgress(operation)), ...referencedCommits(message)]
  return yield* workLentBy(operation, [...named, ...(yield* gatherPreparedSources(operation))], changes)
}

/** The commits that are named by the message that git prepared for a squash, a revert or a merge. */
export function* gatherPreparedSources({ gitDir }: Pick<GitOperation, 'gitDir'>): Gatherer<string[]> {
  const sources: string[] = []
  for (const name of ['MERGE_MSG', 'SQUASH_MSG']) {
    const prepared = yield* readBytes(join(gitDir, name), LARGE_FILE_BYTES_MAX)
    for (const it of referencedCommits(prepared?.toString('latin1') ?? '')) sources.push(it)
  }
  return sources
}

type LentWork = Pick<GitFacts, 'inherited' | 'reworked' | 'settled'>

/**
 * The work that a message lends to a commit, as a push and CI see it: they have the commit alone. A commit that a
 * rebase or a pick makes again keeps its message, and counts as it was.
 */
export function* gatherWorkLentByMessage(
  operation: GitOperation,
  { message, changes }: Pick<GitFacts, 'changes'> & { readonly message: string },
): Gatherer<LentWork> {
  const named = [...(yield* commitsMadeAgain(operation)), ...referencedCommits(message)]
  return yield* workLentBy(operation, named, changes)
}

function* workLentBy(
  operation: GitOperation,
  named: readonly string[],
  changes: GitFacts['changes'],
): Gatherer<LentWork> {
  if (named.length === 0) return { inherited: [] }
  const commit = { oid: '', referencedCommits: [...new Set(named)] }
  const { workOf, sourcesOf } = yield* inheritedWorkLookup([commit], { rewrites: new Map() })
  // A rebase makes a commit again whose own message cites an intent, and a person settles its conflicts.
  const checked = (yield* isRebasing(operation)) ? [] : sourcesOf(commit)
  const derived = { parent: 'HEAD', changes, pathsSince: stagedPaths }
  return { inherited: workOf(commit), ...(yield* gatherReworked(derived, checked)) }
}

/** The changes that the merge in progress adds to its sides; null when there is no merge. */
function* pendingMerge(context: GitOperation): Gatherer<MergeAdditions | null> {
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

function* broughtByMerge(operation: GitOperation): Gatherer<BroughtChanges | null> {
  const sides = ['HEAD', ...(yield* mergedCommits(operation))]
  const withRegistry: string[] = []
  for (const it of sides) if (yield* hasRegistry(it)) withRegistry.push(it)
  return yield* gatherBrought({ sides, withRegistry, changesSince: stagedChanges })
}

function stagedPaths(tree: string): GitQuery<string[]> {
  const { args, parse } = stagedChanges(tree)
  return { args, parse: out => parse(out).map(it => it.path) }
}

/** A merge that is made or about to be made, and its changes that differ from every side. */
type ComparedMerge = {
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
