import { treeChanges } from '../git/changes.ts'
import { gather } from '../io/git/gather.ts'
import type { BroughtChanges } from '../rules/brought-changes.ts'
import type { Commit } from '../trailers/commits.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { PolicyLookup } from './base-policy.ts'
import { gatherBrought } from './brought-changes.ts'

/**
 * Answers what each merge among some commits brings from a history that nobody judged. Most merges are of governed
 * sides, and then a range without a root has no other history.
 */
export function broughtLookup(workspace: Workspace, commits: readonly Commit[], policyAt: PolicyLookup) {
  const own = new Set(commits.map(it => it.oid))
  const hasRoot = commits.some(it => it.parents.length === 0)
  return async ({ oid, parents }: Commit): Promise<BroughtChanges | null> => {
    if (parents.length < 2) return null
    const governed: string[] = []
    for (const it of parents) if ((await policyAt(it)) !== null) governed.push(it)
    if (governed.length === 0 || (governed.length === parents.length && !hasRoot)) return null
    const sides = [...parents.filter(it => !own.has(it)), ...parents.filter(it => own.has(it))]
    const changesSince = (side: string) => treeChanges(side, oid)
    return gather(workspace, gatherBrought({ sides, withRegistry: governed, changesSince }))
  }
}
