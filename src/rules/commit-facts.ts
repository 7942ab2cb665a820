import type { PathChange } from '../git/changes.ts'
import { judgePath, type PathJudge } from '../scope/judge-path.ts'
import type { Policy, PolicyIntent, PathVerdict } from '../scope/policy.ts'
import { ALWAYS_COMMITTABLE, REGISTRY_PATH } from '../paths/governance-files.ts'

/** What is known when a commit is about to be made, before there is a message. */
export type StagedFacts = {
  readonly changes: readonly PathChange[]
  readonly policy: Policy
  /** The intents of the live sessions of this worktree. */
  readonly live: readonly string[]
  /** True when this commit brings the registry into history. */
  readonly adoption: boolean
  /** True while git itself makes commits anew that were judged before: findings are shown, and stop nothing. */
  readonly replaying: boolean
  /** Null for what is no merge. `changes` of a merge are what it adds to both sides; these of them were in conflict. */
  readonly conflicted: readonly string[] | null
  /** The work of the commits that this one was made from: the reverted, picked, squashed or rewritten ones. */
  readonly inherited: readonly InheritedWork[]
  /** The agents of the live sessions of this worktree, by name; empty when only people work here. */
  readonly agents: readonly string[]
  /** True when a person has approved the staged changes of the governance plane, just as they are. */
  readonly approved: boolean
  /** True when the staged registry differs from HEAD's by nothing but legal transitions. */
  readonly onlyTransitions: boolean
}

/** What a commit was made for, and what it changed: who makes another of it may change just that again. */
export type InheritedWork = { readonly intents: readonly string[]; readonly paths: readonly string[] }

/** The same with the message: the intents that its trailers cite, and why it governs when it says so. */
export type CommitFacts = StagedFacts & {
  readonly cited: readonly string[]
  /** What the message names as an intent where nobody looks for a trailer. */
  readonly misplaced: readonly string[]
  readonly governance: string | null
}

/** The staged paths by the part of the policy that they fall under. */
export type SortedChanges = {
  /** Paths that an intent must own. */
  readonly work: readonly string[]
  readonly governanceFiles: readonly string[]
  /** Paths that nobody may touch, and why. */
  readonly barred: readonly { readonly path: string; readonly verdict: PathVerdict }[]
  /** The policy, compiled. */
  readonly judge: PathJudge
}

/** Sorts the staged paths; what kotef itself writes along the way is in none of the parts. */
export function sortChanges({
  changes,
  policy,
  onlyTransitions,
}: Pick<StagedFacts, 'changes' | 'policy' | 'onlyTransitions'>): SortedChanges {
  const judge = judgePath(policy)
  const sorted = {
    work: [] as string[],
    governanceFiles: [] as string[],
    barred: [] as { path: string; verdict: PathVerdict }[],
  }
  for (const { path } of changes) {
    if (ALWAYS_COMMITTABLE.includes(path) || (path === REGISTRY_PATH && onlyTransitions)) continue
    const verdict = judge([], path)
    if (verdict.kind === 'outside') sorted.work.push(path)
    else if (verdict.kind === 'governance') sorted.governanceFiles.push(path)
    else sorted.barred.push({ path, verdict })
  }
  return { ...sorted, judge }
}

/** True for a merge that adds nothing but what git asked for. */
export function onlySettlesConflicts({ changes, conflicted }: StagedFacts): boolean {
  return conflicted !== null && changes.every(it => conflicted.includes(it.path))
}

/** The intents of the commits that this one was made from; they count whatever became of them since. */
export function inheritedIntents({ policy, inherited }: Pick<StagedFacts, 'policy' | 'inherited'>): PolicyIntent[] {
  const ids = new Set(inherited.flatMap(it => it.intents))
  return policy.intents.filter(it => ids.has(it.id))
}

/** True for a path that a commit which this one was made from changed too, for an intent that owns it. */
export function isInherited(path: string, { policy, inherited }: StagedFacts, judge: PathJudge): boolean {
  const works = inherited.filter(it => it.paths.includes(path))
  return works.length > 0 && intentsOwning(path, inheritedIntents({ policy, inherited: works }), judge).length > 0
}

/** Which of some intents own a path. */
export function intentsOwning(path: string, intents: readonly PolicyIntent[], judge: PathJudge): PolicyIntent[] {
  return intents.filter(it => judge(it.owned_scope, path).kind === 'owned')
}

/** The intents that work may be done for now. */
export function openIntents({ intents }: Policy): PolicyIntent[] {
  return intents.filter(it => it.status === 'IN_PROGRESS')
}
