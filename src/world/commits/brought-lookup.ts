import { treeChanges } from '../../core/git/changes.ts'
import { mergeBase } from '../../core/git/revisions.ts'
import { gather } from '../io/git/gather.ts'
import type { BroughtChanges } from '../../core/rules/brought-changes.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { PolicyLookup } from './base-policy.ts'
import { gatherBrought } from './brought-changes.ts'

/**
 * Answers what each merge among some commits brings from a history that nobody judged. Most merges are of governed
 * sides that have a commit in common. They need not, even if no root is among the commits: on a server, another branch
 * may have the other history.
 */
export function broughtLookup(workspace: Workspace, commits: readonly Commit[], policyAt: PolicyLookup) {
  const own = new Set(commits.map(it => it.oid))
  const haveCommon = commonAncestors(workspace, commits)
  return async ({ oid, parents }: Commit): Promise<BroughtChanges | null> => {
    if (parents.length < 2) return null
    const governed: string[] = []
    for (const it of parents) if ((await policyAt(it)) !== null) governed.push(it)
    if (governed.length === 0 || (governed.length === parents.length && (await haveCommon(parents)))) return null
    const sides = [...parents.filter(it => !own.has(it)), ...parents.filter(it => own.has(it))]
    const changesSince = (side: string) => treeChanges(side, oid)
    return gather(workspace, gatherBrought({ sides, withRegistry: governed, changesSince }))
  }
}

/**
 * Answers whether the first of some sides surely has a commit in common with each other one. Git is asked only about
 * the commits at which the lines of first parents leave the given ones, once for each two.
 */
function commonAncestors({ git }: Pick<Workspace, 'git'>, commits: readonly Commit[]) {
  const starts = new Map<string, string>()
  const startOf = (oid: string): string => starts.get(oid) ?? oid
  // Parents come before their children.
  for (const { oid, parents } of commits) starts.set(oid, startOf(parents[0] ?? oid))
  const answers = new Map<string, Promise<boolean>>()
  const ask = (one: string, other: string): Promise<boolean> => {
    const key = `${one} ${other}`
    const answer = answers.get(key) ?? git.tryAsk(mergeBase(one, other)).then(it => it !== null)
    answers.set(key, answer)
    return answer
  }
  return async ([first = '', ...sides]: readonly string[]): Promise<boolean> => {
    const start = startOf(first)
    for (const it of sides) if (startOf(it) !== start && !(await ask(start, startOf(it)))) return false
    return true
  }
}
