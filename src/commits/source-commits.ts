import { type Commit, commitsIn } from '../trailers/commits.ts'
import type { Git } from '../io/git/git.ts'
import type { InheritedWork } from '../rules/commit-facts.ts'

/** For each commit those that it was made anew from, as git told: amended or rebased ones. */
export type Rewrites = ReadonlyMap<string, readonly string[]>

/** Says which work a commit takes over from those that it was made from. */
export type InheritedWorkLookup = (commit: CommitOrigin) => InheritedWork[]

type CommitOrigin = Pick<Commit, 'oid' | 'referencedCommits'>

/**
 * Follows commits to what they were made from, and these to theirs: a revert of a revert is still of that work. Nothing
 * is taken over from those that are `untold`.
 */
export async function inheritedWorkLookup(
  git: Git,
  commits: readonly CommitOrigin[],
  { rewrites, unjudged = new Set() }: { rewrites: Rewrites; unjudged?: ReadonlySet<string> },
): Promise<InheritedWorkLookup> {
  const sources = new Map<string, SourceCommit>()
  let names = commits.flatMap(it => sourceNames(it, rewrites))
  for (let depth = 0; names.length > 0 && depth < SOURCE_DEPTH_MAX; depth++) {
    const found = (await readSources(git, names)).filter(it => !unjudged.has(it.oid))
    for (const name of names) sources.set(name, found.find(it => it.oid.startsWith(name)) ?? NO_SOURCE)
    names = [...new Set(found.flatMap(it => sourceNames(it, rewrites)))].filter(it => !sources.has(it))
  }
  const collectWork = (origin: CommitOrigin, seen: Set<string>): InheritedWork[] =>
    sourceNames(origin, rewrites).flatMap(name => {
      const found = seen.has(name) ? null : sources.get(name)
      seen.add(name)
      return found ? [...found.works, ...collectWork(found, seen)] : []
    })
  return commit => collectWork(commit, new Set())
}

const SOURCE_DEPTH_MAX = 10

type SourceCommit = CommitOrigin & { readonly works: readonly InheritedWork[] }
const NO_SOURCE: SourceCommit = { oid: '', referencedCommits: [], works: [] }

function sourceNames({ oid, referencedCommits }: CommitOrigin, rewrites: Rewrites): string[] {
  return [...referencedCommits, ...(rewrites.get(oid) ?? [])]
}

// A commit that is not there any more has nothing to hand on.
async function readSources(git: Git, names: readonly string[]): Promise<SourceCommit[]> {
  const commits = (await git.tryAsk(commitsIn(['--no-walk', '--ignore-missing', ...names], { countMax: null }))) ?? []
  return Promise.all(commits.map(it => readSourceWithSide(git, it)))
}

// Who reverts a merge takes back the work of its whole side.
async function readSourceWithSide(git: Git, commit: Commit): Promise<SourceCommit> {
  const { oid, parents, referencedCommits } = commit
  if (parents.length < 2) return { oid, referencedCommits, works: [citedWork(commit)] }
  const side = await git.tryAsk(commitsIn([oid, '--not', parents[0] ?? ''], { countMax: SIDE_COMMITS_MAX }))
  return { oid, referencedCommits, works: [commit, ...(side ?? [])].map(citedWork) }
}

function citedWork({ cited, changes }: Commit): InheritedWork {
  return { intents: cited, paths: changes.map(it => it.path) }
}

const SIDE_COMMITS_MAX = 1_000
