import type { PathChange } from '../../core/git/changes.ts'
import { askGit, type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { isAncestor, mergeBase } from '../../core/git/revisions.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { BroughtChanges } from '../../core/rules/brought-changes.ts'

/** A merge: its sides, of which those that are known before come first, and how it differs from one of them. */
export type MergedSides = {
  readonly sides: readonly string[]
  /** Those that have a registry. */
  readonly withRegistry: readonly string[]
  readonly changesSince: (side: string) => GitQuery<PathChange[]>
}

/** What a merge brings from a history that nobody judged; null where each side is governed, or none is. */
export function* gatherBrought({ sides, withRegistry, changesSince }: MergedSides): Gatherer<BroughtChanges | null> {
  const governed: string[] = []
  const others: string[] = []
  for (const side of sides) {
    const known = governed[0]
    const isJudged = withRegistry.includes(side) && (known === undefined || !(yield* areUnrelated(known, side)))
    if (isJudged) governed.push(side)
    else others.push(side)
  }
  const [first, ...more] = governed
  if (first === undefined || others.length === 0) return null
  const origins = new Set<Origin>()
  for (const side of others) origins.add(yield* originOf(side, first))
  if (!origins.has('unknown') && !origins.has('older')) return null
  let changes = yield* askGit(changesSince(first))
  for (const side of more) {
    const paths = new Set((yield* askGit(changesSince(side))).map(it => it.path))
    changes = changes.filter(it => paths.has(it.path))
  }
  return changes.length === 0 ? null : { changes, isOlder: !origins.has('unknown') }
}

/** True for a commit that has a registry. */
export function* hasRegistry(commit: string): Gatherer<boolean> {
  const names = yield* tryAskGit({
    args: ['ls-tree', '--name-only', '--full-tree', commit, '--', REGISTRY_PATH],
    parse: out => out,
  })
  return names !== null && names !== ''
}

// A shallow clone may lack the ancestor; a server has it.
function* areUnrelated(one: string, other: string): Gatherer<boolean> {
  return (yield* tryAskGit(mergeBase(one, other))) === null && !(yield* askGit(isShallow))
}

/** Where a side without a registry comes from: a branch from before the adoption, one that left kotef, or elsewhere. */
type Origin = 'older' | 'left' | 'unknown'

// Anybody may bring a history of his own first, and build on that: only the one below the adoption is known.
function* originOf(side: string, governed: string): Gatherer<Origin> {
  const base = yield* tryAskGit(mergeBase(governed, side))
  if (base === null) return (yield* askGit(isShallow)) ? 'older' : 'unknown'
  if (yield* hasRegistry(base)) return 'left'
  const adoption = yield* tryAskGit(adoptionOf(governed))
  return adoption === null || (yield* tryAskGit(isAncestor(base, adoption))) ? 'older' : 'unknown'
}

const isShallow: GitQuery<boolean> = {
  args: ['rev-parse', '--is-shallow-repository'],
  parse: out => out.trim() === 'true',
}

function adoptionOf(commit: string): GitQuery<string | null> {
  return {
    args: ['log', '--diff-filter=A', '--format=%H', commit, '--', REGISTRY_PATH],
    parse: out => out.trim().split('\n').at(-1) || null,
  }
}
