import { type Commit, commitsIn } from '../../core/git/trailers/commits.ts'
import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import type { InheritedWork } from '../../core/rules/commit-facts.ts'

/** For each commit, the commits that an amend or a rebase made it from, as git reported them to post-rewrite. */
export type Rewrites = ReadonlyMap<string, readonly string[]>

/** Answers from which commits a commit was made, and which work it inherits from these and from theirs. */
export type InheritedWorkLookup = {
  readonly workOf: (commit: CommitOrigin) => InheritedWork[]
  /** None for a commit that git itself reported as rewritten and whose message names no other. */
  readonly sourcesOf: (commit: CommitOrigin) => Commit[]
}

type CommitOrigin = Pick<Commit, 'oid' | 'referencedCommits'>

/**
 * Follows commits to those that they were made from, and these to theirs: a revert of a revert still belongs to the
 * work of the first commit. Commits that are `unjudged` pass on no work.
 */
export function* inheritedWorkLookup(
  commits: readonly CommitOrigin[],
  { rewrites, unjudged = new Set() }: { rewrites: Rewrites; unjudged?: ReadonlySet<string> },
): Gatherer<InheritedWorkLookup> {
  const sources = new Map<string, SourceCommit>()
  let names = commits.flatMap(it => sourceNames(it, rewrites))
  for (let depth = 0; names.length > 0 && depth < SOURCE_DEPTH_MAX; depth++) {
    const found = (yield* readSources(names)).filter(it => !unjudged.has(it.oid))
    for (const name of names) sources.set(name, found.find(it => it.oid.startsWith(name)) ?? NO_SOURCE)
    names = [...new Set(found.flatMap(it => sourceNames(it, rewrites)))].filter(it => !sources.has(it))
  }
  const collectWork = (origin: CommitOrigin, seen: Set<string>): InheritedWork[] =>
    sourceNames(origin, rewrites).flatMap(name => {
      const found = seen.has(name) ? null : sources.get(name)
      seen.add(name)
      return found ? [...found.works, ...collectWork(found, seen)] : []
    })
  const sourcesOf = (commit: CommitOrigin): Commit[] =>
    commit.referencedCommits.length === 0
      ? []
      : sourceNames(commit, rewrites).flatMap(it => sources.get(it)?.commit ?? [])
  return { workOf: commit => collectWork(commit, new Set()), sourcesOf }
}

// A chain of reverts of reverts that people make is shorter.
const SOURCE_DEPTH_MAX = 10

type SourceCommit = CommitOrigin & { readonly works: readonly InheritedWork[]; readonly commit: Commit | null }
const NO_SOURCE: SourceCommit = { oid: '', referencedCommits: [], works: [], commit: null }

function sourceNames({ oid, referencedCommits }: CommitOrigin, rewrites: Rewrites): string[] {
  return [...referencedCommits, ...(rewrites.get(oid) ?? [])]
}

// A commit that this clone does not have passes on no work.
function* readSources(names: readonly string[]): Gatherer<SourceCommit[]> {
  const revisions = ['--no-walk', '--ignore-missing', ...names]
  const sources: SourceCommit[] = []
  for (const commit of (yield* tryAskGit(commitsIn(revisions, { countMax: null }))) ?? []) {
    const { oid, referencedCommits } = commit
    const works = [commit, ...(yield* mergedSide(commit))].map(citedWork)
    sources.push({ oid, referencedCommits, works, commit })
  }
  return sources
}

// The revert of a merge takes back the work of the whole merged side.
function* mergedSide({ oid, parents }: Commit): Gatherer<readonly Commit[]> {
  if (parents.length < 2) return []
  return (yield* tryAskGit(commitsIn([oid, '--not', parents[0] ?? ''], { countMax: SIDE_COMMITS_MAX }))) ?? []
}

function citedWork({ cited, changes, parents }: Commit): InheritedWork {
  return { intents: cited, changes, parent: parents[0] ?? null }
}

// A bound on memory: a side with more commits than this keeps the newest.
const SIDE_COMMITS_MAX = 1_000
