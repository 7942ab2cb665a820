import type { PathChange } from '../git/changes.ts'
import { printable } from '../base/printable.ts'
import type { Rule } from './apply-rules.ts'
import { type CommitFacts, type SortedChanges, sortChanges, type StagedFacts } from './commit-facts.ts'

/** What a merge brings from a side without a registry: its changes against the governed side, as its own. */
export type BroughtChanges = {
  readonly changes: readonly PathChange[]
  /** True for a side that left the governed one before the adoption: its work is for review. */
  readonly isOlder: boolean
}

/**
 * The facts of a merge with what it brings from a history that nobody judged, as changes of the merge itself. Of a
 * branch from before the adoption only that counts which no intent may change.
 */
export function withBrought<F extends StagedFacts>(facts: F, found: BroughtChanges | null): F {
  if (found === null) return facts
  const { isOlder, changes } = found
  const closed = closedPaths(sortChanges({ ...facts, changes }))
  const counting = isOlder ? changes.filter(it => closed.includes(it.path)) : changes
  const brought = counting.map(it => it.path)
  // Whatever else such a merge changes of its own is among the changes against the governed side.
  const own = isOlder ? facts.changes.filter(it => !brought.includes(it.path)) : []
  return {
    ...facts,
    changes: [...own, ...counting],
    conflicted: (facts.conflicted ?? []).filter(it => !brought.includes(it)),
    brought,
    ...(isOlder && { broughtUnjudged: changes.map(it => it.path).filter(it => !brought.includes(it)) }),
  }
}

/** The facts without the paths that a person accepts by the message's `Governance:`; none is that nobody may change. */
export function withoutAccepted(facts: CommitFacts): CommitFacts {
  const { brought = [], governance, byAgent } = facts
  if (brought.length === 0 || governance === null || byAgent) return facts
  const closed = closedPaths(sortChanges(facts))
  return { ...facts, changes: facts.changes.filter(it => !brought.includes(it.path) || closed.includes(it.path)) }
}

function closedPaths({ governanceFiles, barred }: SortedChanges): string[] {
  return [...governanceFiles, ...barred.map(it => it.path)]
}

/** What a merge brings of a branch from before the adoption is shown to a person. */
export const olderWorkIsShown: Rule = ({ broughtUnjudged: paths = [] }) =>
  paths.length === 0
    ? []
    : [
        {
          rule: 'policy-newer',
          level: 'review',
          path: null,
          message: `the merge brings ${pathNames(paths)} of a branch from before the adoption, so nobody judged that`,
          hint: 'A person decides whether it is wanted: `kotef explain policy-newer`',
        },
      ]

/** The first of some paths, and how many more there are. */
export function pathNames(paths: readonly string[]): string {
  const shown = paths.slice(0, NAMES_MAX).map(it => printable(it))
  const more = paths.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const NAMES_MAX = 5
