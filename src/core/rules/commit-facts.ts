import { isOpen } from '../intents/lifecycle.ts'
import type { PathChange } from '../git/changes.ts'
import type { HandoverProblem } from '../handover/handover-problem.ts'
import { type RoleBreach, sessionOfPath } from '../handover/port.ts'
import type { ChangeClass } from '../ledger/mutation-class.ts'
import { globList } from '../base/globs.ts'
import { onceFor } from '../base/once-for.ts'
import { judgePath, type PathJudge } from '../intents/scope/judge-path.ts'
import { type PathVerdict, type Policy, policyForAgents, type PolicyIntent } from '../intents/scope/policy.ts'
import { ALWAYS_COMMITTABLE, isRegistryPath, REGISTRY_PATH } from '../base/governance-files.ts'

/** The facts of a commit before it has a message. */
export type StagedFacts = {
  readonly changes: readonly PathChange[]
  readonly policy: Policy
  /** The intents of the live sessions of this worktree. */
  readonly live: readonly string[]
  /** True when an agent's session makes the commit. */
  readonly byAgent: boolean
  /** The intents of other agents' live sessions in the clone, without those of the committing one. */
  readonly claimedByOthers: readonly string[]
  /** True when this commit adds the registry to history. */
  readonly adoption: boolean
  /** True while git replays commits that were judged before: findings are shown and stop nothing. */
  readonly replaying: boolean
  /** Null unless it is a merge. `changes` of a merge are those that it adds to both sides; these were in conflict. */
  readonly conflicted: readonly string[] | null
  /** Of these changes, those that a merge brings from a history that nobody judged; absent where there are none. */
  readonly brought?: readonly string[]
  /** The other paths that a merge brings of a branch from before the adoption. */
  readonly broughtUnjudged?: readonly string[]
  /** The work of the commits that this one was made from: reverted, picked, squashed or rewritten ones. */
  readonly inherited: readonly InheritedWork[]
  /** The paths whose content is not what git makes of those commits; absent where there are none. */
  readonly reworked?: readonly string[]
  /** The paths that are in conflict when git makes those commits again, so that a person settles their content. */
  readonly settled?: readonly string[]
  /** The paths that no open intent owns and that a person gives the content from before a stray change, if any. */
  readonly takenBack?: readonly string[]
  /** What is known of paths that a standing intent owns; absent where none does. */
  readonly chores?: ChoreFacts
  /** The problems of the sessions of the handover that it touches; absent where it touches none. */
  readonly handover?: readonly HandoverProblem[]
  /** The changes that a role of a handover wrote which may not, according to the ledger, if any. */
  readonly roleBreaches?: readonly RoleBreach[]
  /** The names of the agents with live sessions in this worktree. */
  readonly agents: readonly string[]
  /** The changed governance files of which an agent wrote uncommitted lines, according to the ledger, if any. */
  readonly governanceByAgents?: readonly string[]
  /** True when a person approved exactly the staged changes of governance files. */
  readonly approved: boolean
  /** True when the staged registry differs from HEAD's only by legal transitions. */
  readonly onlyTransitions: boolean
  /** True when its change of an agent's prompt file is nothing but another list of lessons, as kotef writes it. */
  readonly onlyLessons?: true
}

/** The size of a commit's changes, and which of them are agents'. */
export type ChoreFacts = {
  /** The lines added and removed in each path. */
  readonly lines: ReadonlyMap<string, number>
  /** The paths of which an agent wrote uncommitted lines, according to the ledger. */
  readonly byAgents: readonly string[]
  /** Those of which a command of an agent may have written them, or a person; absent where a person is believed. */
  readonly perhapsByAgents?: readonly string[]
}

/** The intents and the changes of a commit: a commit that is made from it may change those paths again. */
export type InheritedWork = {
  readonly intents: readonly string[]
  readonly changes: readonly PathChange[]
  /** The first parent of that commit; null when it has none. */
  readonly parent: string | null
}

/** The facts with a message: the intents that its trailers cite, and the value of `Governance:`. */
export type CommitFacts = StagedFacts & {
  readonly cited: readonly string[]
  /** Intents that the message names where git finds no trailer. */
  readonly misplaced: readonly string[]
  readonly governance: string | null
  /** How to make the commit again after a refusal; null for a commit that is made already. */
  readonly retry: RetryForm | null
  /** True for a commit that amends HEAD, of which `changes` are what is new; absent for any other. */
  readonly amends?: boolean
  /** For each path, the intents for which agents wrote lines of it; absent where no ledger is known. */
  readonly agentsIntents?: ReadonlyMap<string, readonly string[]>
  /** The classes of the paths whose behaviour may not change; absent where there is none. */
  readonly classes?: ReadonlyMap<string, ChangeClass>
  /** The dependencies that changed manifests add; absent where none of them was read. */
  readonly newDependencies?: ReadonlyMap<string, readonly string[]>
  /** True where no path may change behaviour, whatever the intents say. */
  readonly onlyRefactors?: boolean
}

/** A refused commit: where git has kept its message, and what was to be committed. */
export type RetryForm = {
  /** The file, as it is called in the folder where git was started. */
  readonly messageFile: string
  /** The option of `git commit` that opens an editor again, where one was open. */
  readonly editor: string
  /** What to commit, as options and pathspecs; empty for what is staged. */
  readonly words: string
}

/** The staged paths, sorted by the part of the policy that applies to them. */
export type SortedChanges = {
  /** Paths that an intent must own. */
  readonly work: readonly string[]
  readonly governanceFiles: readonly string[]
  /** Paths that go with the work for any intent. */
  readonly riding: readonly string[]
  /** Those that tools read as their settings: a person's to change, in a governance commit or any other. */
  readonly settings: readonly string[]
  /** Paths that no open intent owns, and of which a stray change is taken back: they need no intent. */
  readonly takenBack: readonly string[]
  /** Paths that no intent may change, and why. */
  readonly barred: readonly { readonly path: string; readonly verdict: PathVerdict }[]
  /** The policy, compiled. */
  readonly judge: PathJudge
}

/** The staged changes, and what is known of those that need no intent. */
export type ChangesToSort = Pick<StagedFacts, 'changes' | 'policy' | 'onlyTransitions' | 'onlyLessons' | 'takenBack'>

/**
 * Sorts the staged paths, without those that ride with any intent, and the files that kotef itself writes into. Several
 * rules of one judgement ask for the same ones.
 */
export function sortChanges(facts: ChangesToSort): SortedChanges {
  const { changes, policy, onlyTransitions, onlyLessons, takenBack = [] } = facts
  const key = JSON.stringify([onlyTransitions, onlyLessons === true, takenBack])
  return (sortedOf(policy)(changes)[key] ??= sortPaths(facts))
}

const sortedOf = onceFor<Policy, SortedByChanges>(() => onceFor(() => ({})))

type SortedByChanges = (changes: readonly PathChange[]) => Record<string, SortedChanges>

function sortPaths({ changes, policy, onlyTransitions, onlyLessons, takenBack = [] }: ChangesToSort): SortedChanges {
  const judge = judgePath(policy)
  let judgeForAgents: PathJudge | null = null
  // Compiling a policy takes longer than judging a few paths, and a commit may have no path that needs it.
  const isSetting = (path: string): boolean =>
    (judgeForAgents ??= judgePath(policyForAgents(policy)))([], path).kind === 'governance'
  const rides = globList(policy.rides ?? [])
  const sorted = {
    work: [] as string[],
    governanceFiles: [] as string[],
    riding: [] as string[],
    settings: [] as string[],
    takenBack: [] as string[],
    barred: [] as { path: string; verdict: PathVerdict }[],
  }
  for (const { path } of changes) {
    if (ALWAYS_COMMITTABLE.includes(path) || (isRegistryPath(path) && onlyTransitions)) continue
    if (onlyLessons && path === policy.lessonsFile) continue
    const verdict = judge([], path)
    if (verdict.kind === 'outside' && isSetting(path)) sorted.settings.push(path)
    // Sessions of the handover have a contract of their own.
    if (verdict.kind === 'outside' && sessionOfPath(path)) continue
    if (verdict.kind === 'outside' && rides(path.normalize('NFC'))?.kind === 'in') sorted.riding.push(path)
    else if (takenBack.includes(path) && isUnowned(path, policy)) sorted.takenBack.push(path)
    else if (verdict.kind === 'outside') sorted.work.push(path)
    else if (verdict.kind === 'governance') sorted.governanceFiles.push(path)
    else sorted.barred.push({ path, verdict })
  }
  return { ...sorted, judge }
}

/** True for a merge that only resolves conflicts. */
export function onlySettlesConflicts({ changes, conflicted }: StagedFacts): boolean {
  return conflicted !== null && changes.every(it => conflicted.includes(it.path))
}

/** True for a commit that takes the registry, and so kotef, out of the repository. */
export function isLeaving({ changes, conflicted }: Pick<StagedFacts, 'changes' | 'conflicted'>): boolean {
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  return conflicted === null && registry !== undefined && registry.before !== null && registry.after === null
}

/** The intents of the commits that this one was made from, whatever their status is now. */
export function inheritedIntents({ policy, inherited }: Pick<StagedFacts, 'policy' | 'inherited'>): PolicyIntent[] {
  const ids = new Set(inherited.flatMap(it => it.intents))
  return policy.intents.filter(it => ids.has(it.id))
}

/**
 * True for a path with the content of a source commit, which changed it for an intent that owns the path. A conflict is
 * settled by a person, not by an agent.
 */
export function isInherited(path: string, facts: StagedFacts, judge: PathJudge): boolean {
  const { byAgent, reworked = [], settled = [] } = facts
  return !reworked.includes(path) && !(byAgent && settled.includes(path)) && sourceOwners(path, facts, judge).length > 0
}

/** True for a path with other content than its source commit has: work for the open intent of that commit. */
export function isReworked(path: string, facts: StagedFacts, judge: PathJudge): boolean {
  if (facts.byAgent || facts.reworked?.includes(path) !== true) return false
  return sourceOwners(path, facts, judge).some(it => isOpen(it.status))
}

function sourceOwners(path: string, { policy, inherited }: StagedFacts, judge: PathJudge): PolicyIntent[] {
  const works = inherited.filter(it => it.changes.some(change => change.path === path))
  return intentsOwning(path, inheritedIntents({ policy, inherited: works }), judge)
}

/** True for a change that a revert makes: it gives a path the content from before a commit that this one takes back. */
export function takesBack({ path, after }: PathChange, inherited: readonly InheritedWork[]): boolean {
  return inherited.some(({ changes }) =>
    changes.some(it => it.path === path && (it.before?.oid ?? null) === (after?.oid ?? null)),
  )
}

/** True for a path that is open to intents, and that no open one owns. What a constraint closes has an owner. */
export function isUnowned(path: string, policy: Policy): boolean {
  const judge = judgePath(policy)
  const isOutside = (it: PolicyIntent): boolean => ['outside', 'excluded'].includes(judge(it, path).kind)
  return judge([], path).kind === 'outside' && openIntents(policy).every(isOutside)
}

/** True where a commit cites an intent that owns a path, whatever its status is now. */
export function citesOwner({ cited }: { readonly cited: readonly string[] }, path: string, policy: Policy): boolean {
  const intents = policy.intents.filter(it => cited.includes(it.id))
  return intentsOwning(path, intents, judgePath(policy)).length > 0
}

/** The intents among some that own a path. */
export function intentsOwning(path: string, intents: readonly PolicyIntent[], judge: PathJudge): PolicyIntent[] {
  return intents.filter(it => judge(it, path).kind === 'owned')
}

/** The open intents. */
export function openIntents({ intents }: Policy): PolicyIntent[] {
  return intents.filter(it => isOpen(it.status))
}

/** The open intents for work: those that are not standing. */
export function workIntents(policy: Policy): PolicyIntent[] {
  return openIntents(policy).filter(it => !it.chores)
}

/** The open standing intents. */
export function standingIntents(policy: Policy): PolicyIntent[] {
  return openIntents(policy).filter(it => it.chores)
}

/** What an agent does about a path outside of its intent. */
export const REQUEST_SCOPE_HINT =
  'Request a wider scope with `request_scope_expansion`, or leave the path out of this commit.'
