import { type Commit, commitsIn } from '../diff/commits.ts'
import type { Git } from '../io/git.ts'
import type { Inherited } from '../rules/facts.ts'

/** For each commit those that it was made anew from, as git told: amended or rebased ones. */
export type Rewrites = ReadonlyMap<string, readonly string[]>

/** Says which work a commit takes over from those that it was made from. */
export type Heritage = (commit: Origin) => Inherited[]

type Origin = Pick<Commit, 'oid' | 'madeFrom'>

/**
 * Follows commits to what they were made from, and these to theirs: a revert of a revert is still of that work. Nothing
 * is taken over from those that are `untold`.
 */
export async function heritageOf(
  git: Git,
  commits: readonly Origin[],
  { rewrites, untold = new Set() }: { rewrites: Rewrites; untold?: ReadonlySet<string> },
): Promise<Heritage> {
  const known = new Map<string, Source>()
  let names = commits.flatMap(it => sourcesOf(it, rewrites))
  for (let depth = 0; names.length > 0 && depth < DEPTH_MAX; depth++) {
    const found = (await sourcesNamed(git, names)).filter(it => !untold.has(it.oid))
    for (const name of names) known.set(name, found.find(it => it.oid.startsWith(name)) ?? NOTHING)
    names = [...new Set(found.flatMap(it => sourcesOf(it, rewrites)))].filter(it => !known.has(it))
  }
  const worksOf = (origin: Origin, seen: Set<string>): Inherited[] =>
    sourcesOf(origin, rewrites).flatMap(name => {
      const found = seen.has(name) ? null : known.get(name)
      seen.add(name)
      return found ? [...found.works, ...worksOf(found, seen)] : []
    })
  return commit => worksOf(commit, new Set())
}

const DEPTH_MAX = 10

type Source = Origin & { readonly works: readonly Inherited[] }
const NOTHING: Source = { oid: '', madeFrom: [], works: [] }

function sourcesOf({ oid, madeFrom }: Origin, rewrites: Rewrites): string[] {
  return [...madeFrom, ...(rewrites.get(oid) ?? [])]
}

// A commit that is not there any more has nothing to hand on.
async function sourcesNamed(git: Git, names: readonly string[]): Promise<Source[]> {
  const commits = (await git.tryAsk(commitsIn(['--no-walk', '--ignore-missing', ...names], { countMax: null }))) ?? []
  return Promise.all(commits.map(it => withSide(git, it)))
}

// Who reverts a merge takes back the work of its whole side.
async function withSide(git: Git, commit: Commit): Promise<Source> {
  const { oid, parents, madeFrom } = commit
  if (parents.length < 2) return { oid, madeFrom, works: [workOf(commit)] }
  const side = await git.tryAsk(commitsIn([oid, '--not', parents[0] ?? ''], { countMax: SIDE_MAX }))
  return { oid, madeFrom, works: [commit, ...(side ?? [])].map(workOf) }
}

function workOf({ cited, changes }: Commit): Inherited {
  return { intents: cited, paths: changes.map(it => it.path) }
}

const SIDE_MAX = 1_000
