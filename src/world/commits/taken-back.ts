import type { PathChange } from '../../core/git/changes.ts'
import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import { type Commit, commitsIn } from '../../core/git/trailers/commits.ts'
import {
  citesOwner,
  type InheritedWork,
  isUnowned,
  type StagedFacts,
  takesBack,
} from '../../core/rules/commit-facts.ts'
import type { Policy } from '../../core/intents/scope/policy.ts'
import { hasRegistry } from './brought-changes.ts'

/** A commit: its changes, and the work of those that it is made from. */
type DerivedChanges = Pick<StagedFacts, 'changes' | 'inherited'>

/** The policies of a commit, and the last commits before it, oldest first, which are asked for only when needed. */
type Before = { readonly policies: readonly (Policy | null)[]; readonly history: () => Gatherer<readonly Commit[]> }

/**
 * The changes of a commit that does nothing else than to give paths, which no open intent owns, the content from before
 * later changes that cited no owner of them either: these were outside of every scope. What is from before the adoption
 * is not taken back. Git is asked only where there is such a path.
 */
export function* gatherTakenBack(
  { changes, inherited }: DerivedChanges,
  { policies, history }: Before,
): Gatherer<Pick<StagedFacts, 'takenBack'>> {
  const known = policies.filter(it => it !== null)
  const unowned = changes.filter(
    it => known.some(policy => isUnowned(it.path, policy)) && !isLent(it.path, inherited, known),
  )
  // Beside other work it may be one end of a rename.
  if (unowned.length === 0 || unowned.length > PATHS_MAX || unowned.length < changes.length) return {}
  const earlier = (yield* history()).toReversed()
  const takenBack: string[] = []
  for (const change of unowned) {
    const stray = strayChange(change, earlier, known)
    if (stray && (yield* hasRegistry(`${stray.oid}^`))) takenBack.push(change.path)
  }
  return takenBack.length < changes.length ? {} : { takenBack }
}

// What nobody wanted is little.
const PATHS_MAX = 100

/** The last commits of HEAD: what nobody wanted is seen soon. For those of a path git would read the whole history. */
export function* recentHistory(): Gatherer<readonly Commit[]> {
  return (yield* tryAskGit(commitsIn(['HEAD'], { countMax: COMMITS_MAX }))) ?? []
}

const COMMITS_MAX = 200

/** The same before each of some commits, parents before children; git is asked once for all of them. */
export function historyBefore(commits: readonly Commit[]): (oid: string) => Gatherer<readonly Commit[]> {
  const tip = commits.at(-1)?.oid ?? ''
  let known: readonly Commit[] | null = null
  return function* (oid) {
    known ??= (yield* tryAskGit(commitsIn([tip], { countMax: commits.length + COMMITS_MAX }))) ?? []
    return known.slice(
      0,
      Math.max(
        0,
        known.findIndex(it => it.oid === oid),
      ),
    )
  }
}

/**
 * The commit, of some with the newest first, before which a path had the content that a change gives it. Each must lead
 * to the next one: some may be of another branch.
 */
function strayChange(change: PathChange, commits: readonly Commit[], policies: readonly Policy[]): Commit | null {
  let { before } = change
  for (const commit of commits) {
    const found = commit.changes.find(it => it.path === change.path)
    if (!found || found.after?.oid !== before?.oid) continue
    before = found.before
    if (policies.some(it => citesOwner(commit, change.path, it))) return null
    if (takesBack(change, [{ intents: [], changes: commit.changes, parent: null }])) return commit
  }
  return null
}

// What the revert of work takes back is work, also where its intent is of another branch.
function isLent(path: string, inherited: readonly InheritedWork[], policies: readonly Policy[]): boolean {
  const isKnown = (id: string) => policies.some(it => it.intents.some(intent => intent.id === id))
  const works = inherited.filter(it => it.changes.some(change => change.path === path))
  const cited = works.flatMap(it => it.intents)
  return cited.some(it => !isKnown(it)) || policies.some(it => citesOwner({ cited }, path, it))
}
