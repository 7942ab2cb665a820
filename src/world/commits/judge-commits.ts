import type { Commit } from '../../core/git/trailers/commits.ts'
import { type Blobs, openBlobs } from '../io/git/blobs.ts'
import { gather } from '../io/git/gather.ts'
import { GOVERNANCE_GLOBS } from '../../core/intents/config.ts'
import { isRegistryPath, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { intentsWrittenByAgents, writtenByAgents } from '../../core/ledger/written-intents.ts'
import type { PathChange } from '../../core/git/changes.ts'
import type { Finding } from '../../core/base/finding.ts'
import { type Approval, isApproved, isApprovedAnywhere, governanceFilesIn } from '../../core/rules/approval.ts'
import {
  type CommitFacts,
  type InheritedWork,
  onlySettlesConflicts,
  openIntents,
} from '../../core/rules/commit-facts.ts'
import { governanceChanges } from '../../core/rules/governance-changes.ts'
import { judgeCommit } from '../../core/rules/judge-commit.ts'
import { readBlobText } from '../io/worktree/head.ts'
import { type Policy, policyOn } from '../../core/intents/scope/policy.ts'
import { policyInRange, refusedAtTarget } from '../../core/rules/range-rules.ts'
import { type BasePolicies, type BasePolicy, type NewerPolicy, policyLookup, type PolicyLookup } from './base-policy.ts'
import { ownIntents, renumberedIds } from './own-intents.ts'
import { choreLookup } from './chore-facts.ts'
import { refactorClasses } from './refactor-classes.ts'
import { type ChangeClassifier, openChangeClassifier } from '../code/meaning/change-classes.ts'
import { gatherNewDependencies } from './new-dependencies.ts'
import { gatherTakenBack, historyBefore } from './taken-back.ts'
import { gatherReworked } from './source-content.ts'
import { changedPaths } from '../../core/git/merges.ts'
import { type BroughtChanges, withBrought } from '../../core/rules/brought-changes.ts'
import { broughtLookup } from './brought-lookup.ts'
import { handoverFact } from '../handover/judge-changes.ts'
import { inheritedWorkLookup, type InheritedWorkLookup, type Rewrites } from './source-commits.ts'
import { type MergeEditsLookup, mergeEditsLookup } from './merge-edits.ts'
import type { MergeEdits } from '../../core/git/merges.ts'
import { lessonsFactOf } from '../lessons/lessons-change.ts'
import { isTransitionsOnly } from '../intents/registry/transitions-only.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** A commit and its findings. A commit from before the adoption is exempt: it is not judged. */
export type JudgedCommit = {
  readonly commit: Commit
  readonly findings: readonly Finding[]
  readonly isExempt: boolean
  /** The work of the commits that it was made from. */
  readonly inherited: readonly InheritedWork[]
}

/** Facts about commits that git does not have. */
export type CommitContext = {
  readonly rewrites: Rewrites
  /** The agents with a live session in the worktree of the commits; omitted where that is unknown. */
  readonly agents?: readonly string[]
  /** The commits that agents made, where git's hooks have reported it. */
  readonly byAgents?: AgentsCommits
  /** The end of that worktree's ledger; omitted where the commits are not of this worktree alone. */
  readonly ledgerEnd?: string
  /** The approvals given in that worktree. */
  readonly approvals?: readonly Approval[]
  /** The policies from before the commits, which they must obey as well. */
  readonly basePolicies?: BasePolicies
  /** Commits that were not judged: a commit made from them inherits no work. */
  readonly unjudged?: ReadonlySet<string>
  /** No commit may change behaviour, whatever its intent is. */
  readonly onlyRefactors?: boolean
}

type AgentsCommits = {
  readonly commits: readonly (string | null)[]
  /** The intents of the agents' live sessions. */
  readonly live: readonly string[]
}

/** Judges each commit by the policy of its first parent; of a merge, only the changes that it adds to its parents. */
export async function judgeCommits(
  workspace: Workspace,
  commits: readonly Commit[],
  { rewrites, agents = [], approvals = [], basePolicies, ledgerEnd = '', unjudged = new Set(), ...more }: CommitContext,
): Promise<JudgedCommit[]> {
  await using blobs = openBlobs(workspace.root)
  const policyAt = basePolicies?.policyAt ?? policyLookup(blobs)
  using classifier = openChangeClassifier(basePolicies?.blobs ?? blobs)
  const inheritedWork = await gather(workspace, inheritedWorkLookup(commits, { rewrites, unjudged }))
  const sources: JudgeSources = {
    workspace,
    blobs: basePolicies?.blobs ?? blobs,
    policyAt,
    renumbered: await renumberedIds(commits, policyAt),
    basePolicies: basePolicies ?? null,
    inheritedWork,
    reworked: ({ parents: [parent = null], oid, ...it }, changes) => {
      const derived = { parent, changes, pathsSince: (tree: string) => changedPaths(tree, oid) }
      return gather(workspace, gatherReworked(derived, inheritedWork.sourcesOf({ ...it, oid })))
    },
    mergeEdits: await mergeEditsLookup({ ...workspace, blobs: basePolicies?.blobs ?? blobs }, commits),
    broughtBy: broughtLookup(workspace, commits, policyAt),
    shallow: await readShallowEnds(workspace),
    agents,
    byAgents: more.byAgents ?? { commits: [], live: [] },
    ledgerEnd,
    historyBefore: historyBefore(commits),
    choresOf: choreLookup(workspace, commits),
    classifier,
    onlyRefactors: more.onlyRefactors ?? false,
    isApproved: ({ oid, parents }, change) =>
      isApproved(change, parents[0] ?? null, approvals) || (rewrites.has(oid) && isApprovedAnywhere(change, approvals)),
  }
  const judged: JudgedCommit[] = []
  for (const commit of commits) {
    const findings = await findingsOfCommit(commit, sources)
    const inherited = sources.inheritedWork.workOf(commit)
    judged.push({ commit, findings: findings ?? [], isExempt: findings === null, inherited })
  }
  return judged
}

type JudgeSources = {
  readonly workspace: Workspace
  readonly blobs: Blobs
  readonly policyAt: PolicyLookup
  readonly renumbered: ReadonlyMap<string, string>
  readonly basePolicies: BasePolicies | null
  readonly inheritedWork: InheritedWorkLookup
  readonly reworked: (
    commit: Commit,
    changes: readonly PathChange[],
  ) => Promise<Pick<CommitFacts, 'reworked' | 'settled'>>
  readonly mergeEdits: MergeEditsLookup
  readonly broughtBy: (commit: Commit) => Promise<BroughtChanges | null>
  readonly shallow: ReadonlySet<string>
  readonly agents: readonly string[]
  readonly byAgents: AgentsCommits
  readonly ledgerEnd: string
  readonly isApproved: (commit: Commit, change: PathChange) => boolean
  readonly historyBefore: ReturnType<typeof historyBefore>
  readonly choresOf: ReturnType<typeof choreLookup>
  readonly classifier: ChangeClassifier
  readonly onlyRefactors: boolean
}

async function findingsOfCommit(commit: Commit, sources: JudgeSources): Promise<Finding[] | null> {
  if (sources.shallow.has(commit.oid)) return []
  const base = sources.basePolicies?.basePolicyOf(commit) ?? null
  const policy = await policyBefore(commit, sources, base?.day)
  const mergeEdits = await sources.mergeEdits(commit)
  const brought = await sources.broughtBy(commit)
  const changes = mergeEdits ? [...mergeEdits.changes, ...oneSidedChanges(mergeEdits, policy, sources)] : commit.changes
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const isAdoption = policy === null && Boolean(registry && !registry.before && registry.after)
  if (policy === null && base === null && !isAdoption) return null
  const inherited = sources.inheritedWork.workOf(commit)
  const facts = {
    ...commit,
    changes,
    live: [],
    byAgent: false,
    claimedByOthers: [],
    retry: null,
    agents: sources.agents,
    approved: false,
    inherited,
    ...(await sources.reworked(commit, changes)),
    replaying: false,
    conflicted: mergeEdits && mergeEdits.conflicted,
    onlyRefactors: sources.onlyRefactors,
    onlyTransitions: await needsNoReason(changes, inherited, sources),
    ...(await lessonsFactOf(sources.blobs, changes)),
    ...(await handoverFact(changes, { ...sources.workspace, revision: commit.oid, blobs: sources.blobs })),
    ...(await sources.choresOf(commit, changes, [policy, base?.policy ?? null])),
  }
  const refactors = await refactorClasses(facts, [policy, base?.policy ?? null], sources.classifier)
  const before = { policies: [policy, base?.policy ?? null], parent: commit.parents[0] ?? '' }
  const added = await gather(sources.workspace, gatherNewDependencies(facts, before))
  const back = await takenBackBy(facts, before.policies, sources)
  const more = await ownIntents(commit, { policy, base, inherited }, sources)
  const judgeUnder = (it: Policy, adoption: boolean) =>
    judgeUnderPolicy(
      sources,
      commit,
      withBrought({ ...facts, ...refactors, ...added, ...back, policy: more(it), adoption }, brought),
    )
  if (!base) return judgeUnder(policy ?? NO_POLICY, isAdoption)
  const own = policy ? judgeUnder(policy, false) : []
  const findings =
    base.policy === policy ? own : withBaseFindings(own, { base, before: judgeUnder(base.policy, false) })
  return base.newer ? withNewerFindings(findings, base.newer, judgeUnder(base.newer.policy, false)) : findings
}

async function takenBackBy(
  commit: Pick<Commit, 'oid'> & Pick<CommitFacts, 'changes' | 'inherited'>,
  policies: readonly (Policy | null)[],
  { workspace, byAgents, historyBefore: historyOf }: JudgeSources,
): Promise<Pick<CommitFacts, 'takenBack'>> {
  if (byAgents.commits.includes(commit.oid)) return {}
  return gather(workspace, gatherTakenBack(commit, { policies, history: () => historyOf(commit.oid) }))
}

async function needsNoReason(
  changes: readonly PathChange[],
  inherited: readonly InheritedWork[],
  sources: JudgeSources,
): Promise<boolean> {
  const ofRegistry = changes.filter(it => isRegistryPath(it.path))
  for (const it of ofRegistry) if (!(await changesNothingDecided(it, inherited, sources))) return false
  return ofRegistry.length > 0
}

// A revert brings back the registry from before a commit; others may have changed it since.
async function changesNothingDecided(
  registry: PathChange,
  inherited: readonly InheritedWork[],
  { blobs }: JudgeSources,
): Promise<boolean> {
  if (await isTransitionsOnly(blobs, registry)) return true
  const { path, before, after } = registry
  if (!before || !after || !inherited.some(it => it.changes.some(change => change.path === path))) return false
  const old = await readBlobText(blobs, before.oid)
  const current = await readBlobText(blobs, after.oid)
  return governanceChanges({ path, before: old, after: current }).every(it => it.effect === 'none')
}

// The first parent of a merge may be from before the adoption.
async function policyBefore({ parents }: Commit, { policyAt }: JudgeSources, day?: string): Promise<Policy | null> {
  for (const parent of parents) {
    const policy = await policyAt(parent)
    if (policy) return day === undefined ? policy : policyOn(day, policy)
  }
  return null
}

// A merge can restore an old version of a governance file without differing from either parent, so those files are
// judged too. `kotef verify` also judges files where the merge drops one side's work, unless they were in conflict.
function oneSidedChanges(
  { oneSided, conflicted }: MergeEdits,
  policy: Policy | null,
  { basePolicies }: JudgeSources,
): PathChange[] {
  if (!policy) return []
  const governanceChanges = governanceFilesIn({ changes: oneSided, policy, onlyTransitions: false })
  const work = basePolicies
    ? oneSided.filter(it => !conflicted.includes(it.path) && !governanceChanges.includes(it))
    : []
  return [...governanceChanges, ...work]
}

function judgeUnderPolicy(sources: JudgeSources, commit: Commit, facts: CommitFacts): Finding[] {
  return judgeCommit({
    ...facts,
    governanceByAgents: writtenByAgents(sources.ledgerEnd, governanceFilesIn(facts)),
    ...(sources.ledgerEnd && { agentsIntents: intentsWrittenByAgents(sources.ledgerEnd, facts.changes) }),
    approved: governanceFilesIn(facts).every(it => sources.isApproved(commit, it)),
    ...committerOf(sources, commit, facts),
  })
}

function committerOf({ byAgents }: JudgeSources, { oid }: Commit, facts: CommitFacts) {
  // It is unknown which session resolved a conflict, so every open intent counts.
  if (onlySettlesConflicts(facts)) return { live: openIntents(facts.policy).map(it => it.id) }
  return byAgents.commits.includes(oid) ? { byAgent: true, live: byAgents.live } : {}
}

// A finding by the base policy alone means that the range itself loosened the rules.
function withBaseFindings(
  findings: readonly Finding[],
  { base: { changedBy }, before }: { base: BasePolicy; before: readonly Finding[] },
): Finding[] {
  const isKnown = (it: Finding) => findings.some(known => known.level === it.level && isSameFinding(known, it))
  // Whose work such content is, the commit's own policy says.
  const more = before.filter(it => it.rule !== 'source-content' && !isKnown(it))
  return [...findings, ...more.map(it => policyInRange(it, changedBy))]
}

function withNewerFindings(
  findings: readonly Finding[],
  { commit, isLanding }: NewerPolicy,
  newer: readonly Finding[],
): Finding[] {
  const isNew = (it: Finding) => it.level === 'block' && !findings.some(known => isSameFinding(known, it))
  const more = newer.filter(it => isNew(it) && !(isLanding && it.rule === 'intent-open'))
  return [...findings, ...more.map(it => refusedAtTarget(it, commit))]
}

// A path has one finding, of whichever rule.
function isSameFinding(one: Finding, other: Finding): boolean {
  return one.path === null ? one.rule === other.rule && other.path === null : one.path === other.path
}

const NO_POLICY: Policy = { intents: [], governance: GOVERNANCE_GLOBS, forbidden: [], intentignore: [] }
