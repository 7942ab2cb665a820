import type { Commit } from '../../core/git/trailers/commits.ts'
import { CONFIG_PATH, isPolicyFile, isRegistryPath } from '../../core/base/governance-files.ts'
import { type Config, readConfig } from '../../core/intents/config.ts'
import { dayOf } from '../../core/intents/enforcement.ts'
import { datesUpTo } from '../../core/git/commit-dates.ts'
import { isAncestor } from '../../core/git/revisions.ts'
import type { Blobs } from '../io/git/blobs.ts'
import type { Git } from '../io/git/git.ts'
import { type Policy, type PolicyIntent, policyOn } from '../../core/intents/scope/policy.ts'
import { readBlobText, readPolicyTexts, readRegistryText } from '../io/worktree/head.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { policyFromTexts } from '../../core/rules/policy-of-sources.ts'
import { grantedIntents, grantedPolicy, newlyGranted } from '../../core/intents/scope/grants.ts'

/** The policies from before some commits: none of the commits widens the rules for another one. */
export type BasePolicies = {
  readonly blobs: Blobs
  readonly policyAt: PolicyLookup
  /** The policy that a commit must obey besides its parent's; null when nothing was governed before. */
  basePolicyOf(commit: Pick<Commit, 'oid'>): BasePolicy | null
}

/** A policy, and the config of the same commit. */
export type BasePolicy = {
  /** The policy of that commit, and what the range grants. */
  readonly policy: Policy
  readonly config: Config
  /** The commit that has both. */
  readonly commit: string
  /** The last commit since then that changes a policy file. */
  readonly changedBy: Commit | null
  /** The policy of that commit alone. */
  readonly origin: Policy
  /** The new intents, and those with a wider scope, as the governance commits of the range have them. */
  readonly grants: readonly PolicyIntent[]
  /** The policy of the target's tip with these grants, if that is later than this one, and another. */
  readonly newer?: NewerPolicy | null
  /** The day on which the commit was made; absent where no policy changes with the days. */
  readonly day?: string
}

/** The policy of the commit that a range is to follow. */
export type NewerPolicy = {
  readonly policy: Policy
  readonly commit: string
  /** True when the range lacks that commit: then the intents that are closed there have a finding of the range. */
  readonly isLanding: boolean
}

/** The range whose base policies are wanted. */
type PolicyRange = {
  /** The commit whose policy judges a history of its own that brings a registry; null for none. */
  readonly base: string | null
  /** True when a person approved the registry that a commit brings, by the ledger, or by a signature that counts. */
  readonly isApproved: (commit: Commit, base: BasePolicy) => Promise<boolean>
  /** The tip of the branch that the range is to be merged into; null when there is none: then it is `base`. */
  readonly target: string | null
  /** True when the target has commits that the range lacks. */
  readonly isLanding: boolean
  /** True if each commit is to obey the policy of its own parent alone. */
  readonly isEach: boolean
}

/**
 * Finds the base policy of each commit: that of the commit at which its line of first parents enters the range, or a
 * later one merged since, with the intents and scopes that governance commits of the range grant. Commits of an
 * unrelated history with a registry of its own obey the policy of `base`, its adoption included. A commit without a
 * registry in its own history has none.
 */
export async function basePoliciesOf(
  { git, blobs }: { readonly git: Git; readonly blobs: Blobs },
  commits: readonly Commit[],
  { base, target, isLanding, isApproved, isEach }: PolicyRange,
): Promise<BasePolicies> {
  const policyAt = policyLookup(blobs)
  const basePolicyAt = basePolicyReader(blobs, policyAt)
  const fallback = base === null || isEach ? null : await basePolicyAt(base)
  const newerThan = newerPolicyReader(git, { policyAt, tip: isEach ? null : (target ?? base), isLanding })
  const before = new Map<string, BasePolicy | null>()
  const after = new Map<string, BasePolicy | null>()
  const policyAfter = async (parent: string) => {
    const known = after.get(parent)
    if (known) return known
    const own = await basePolicyAt(parent)
    return after.has(parent) ? own && (fallback ?? own) : own
  }
  // Parents come before their children.
  for (const commit of commits) {
    const [known, ...merged] = (await Promise.all(commit.parents.map(policyAfter))).filter(it => it !== null)
    const own = known ?? (fallback && (await policyAt(commit.oid)) ? fallback : null)
    before.set(commit.oid, own && (await onItsDay(git, commit, { ...own, newer: await newerThan(own) })))
    const last = known && withLastChange(await latestBase(git, known, merged), commit)
    const grants = last && (await grantsOf(commit, last, { policyAt, isApproved }))
    // Where nothing was governed before the range, each parent's policy is the only one.
    const isCarried = last !== undefined && !isEach && !after.has(last.commit)
    after.set(commit.oid, isCarried && grants ? withGrants(last, [...last.grants, ...grants]) : null)
  }
  return { blobs, policyAt, basePolicyOf: ({ oid }) => before.get(oid) ?? null }
}

// A commit is judged as on the day on which it was made, so that what was let through stays so. Its date is what its
// maker says, but it is not before its parents: a policy that has blocked for a while has no way around it.
async function onItsDay(git: Git, { oid }: Pick<Commit, 'oid'>, base: BasePolicy): Promise<BasePolicy> {
  const { policy, newer } = base
  if (![policy, newer?.policy].some(it => it?.enforcements?.before)) return base
  const dates = (await git.tryAsk(datesUpTo(oid))) ?? []
  // Without a date it is judged as once all days have come.
  if (dates.length === 0) return base
  const day = dayOf(Math.max(...dates))
  const dated = newer && { ...newer, policy: policyOn(day, newer.policy) }
  return { ...base, day, policy: policyOn(day, policy), newer: dated ?? null }
}

// A merged policy counts only when it is later: else merging an old commit would restore its looser rules.
async function latestBase(git: Git, known: BasePolicy, merged: readonly BasePolicy[]): Promise<BasePolicy> {
  let last = known
  for (const it of merged)
    if (it.origin !== last.origin && (await git.tryAsk(isAncestor(last.commit, it.commit)))) last = it
  const grants = [known, ...merged].flatMap(it => it.grants)
  return grants.length > last.grants.length ? withGrants(last, grants) : last
}

function withLastChange(base: BasePolicy, commit: Commit): BasePolicy {
  return commit.changes.some(it => isPolicyFile(it.path)) ? { ...base, changedBy: commit } : base
}

type TargetTip = { readonly policyAt: PolicyLookup; readonly tip: string | null; readonly isLanding: boolean }

// Only a commit on an older one than the tip has another policy before it, and most ranges have none of these.
function newerPolicyReader(git: Git, { policyAt, tip, isLanding }: TargetTip) {
  const newer = new Map<string, Promise<Policy | null>>()
  const read = async ({ commit, origin }: BasePolicy): Promise<Policy | null> => {
    const policy = tip === null || tip === commit ? null : await policyAt(tip)
    return policy && policy !== origin && (await git.tryAsk(isAncestor(commit, tip ?? ''))) ? policy : null
  }
  return async (base: BasePolicy): Promise<NewerPolicy | null> => {
    const known = newer.get(base.commit) ?? read(base)
    newer.set(base.commit, known)
    const policy = await known
    const grants = policy && newlyGranted(base.grants, base.origin, policy)
    return grants && tip !== null ? { policy: grantedPolicy(policy, grants), commit: tip, isLanding } : null
  }
}

type GrantFacts = {
  readonly policyAt: PolicyLookup
  readonly isApproved: (commit: Commit, base: BasePolicy) => Promise<boolean>
}

// A merge grants nothing: each side's governance commits have granted already.
async function grantsOf(
  commit: Commit,
  base: BasePolicy,
  { policyAt, isApproved }: GrantFacts,
): Promise<readonly PolicyIntent[]> {
  const { parents, governance, changes } = commit
  if (parents.length !== 1 || governance === null || !changes.some(it => isRegistryPath(it.path))) return []
  if (base.config.verify.governance === 'strict' && !(await isApproved(commit, base))) return []
  const old = await policyAt(parents[0] ?? '')
  const current = await policyAt(commit.oid)
  return grantedIntents(old, current)
}

function basePolicyReader(blobs: Blobs, policyAt: PolicyLookup): (commit: string) => Promise<BasePolicy | null> {
  const configs = new Map<string | null, Config>()
  return async commit => {
    const policy = await policyAt(commit)
    if (!policy) return null
    const text = await readBlobText(blobs, `${commit}:${CONFIG_PATH}`)
    const config = configs.get(text) ?? readConfig(text).config
    configs.set(text, config)
    return { policy, config, commit, changedBy: null, origin: policy, grants: [] }
  }
}

function withGrants(base: BasePolicy, grants: readonly PolicyIntent[]): BasePolicy {
  return grants.length === 0 ? base : { ...base, grants, policy: grantedPolicy(base.origin, grants) }
}

/** Answers the policy that judges the children of a commit; null when that commit has no registry. */
export type PolicyLookup = (commit: string) => Promise<Policy | null>

/** Reads the policy of each commit from that commit, so that later, stricter rules don't accuse it. */
export function policyLookup(blobs: Blobs): PolicyLookup {
  const known = new Map<string, Policy | null>()
  return async commit => {
    const [registry = null, ...others] = await readPolicyTexts(blobs, commit)
    const texts = [registry && (await lastReadableRegistry(blobs, commit, registry)), ...others]
    const key = texts.map(it => it ?? '\0\0').join('\0\0\0')
    const policy = known.has(key) ? known.get(key) : policyFromTexts(texts)
    known.set(key, policy ?? null)
    return policy ?? null
  }
}

/** The registry at a commit; while it is in conflict, or otherwise damaged, its last readable version. */
export async function lastReadableRegistry(blobs: Blobs, commit: string, registry: string): Promise<string> {
  let text: string | null = registry
  for (let n = 1; text !== null && n <= DAMAGED_COMMITS_MAX; n++) {
    if (readRegistry(text).problems.length === 0) return text
    text = await readRegistryText(blobs, `${commit}~${n}`)
  }
  return registry
}

const DAMAGED_COMMITS_MAX = 50
