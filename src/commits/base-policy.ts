import { isFinalStatus } from '../intents/lifecycle.ts'
import type { Commit } from '../trailers/commits.ts'
import { CONFIG_PATH, POLICY_FILES, REGISTRY_PATH } from '../paths/governance-files.ts'
import { type Config, readConfig } from '../intents/config.ts'
import { isAncestor } from '../git/revisions.ts'
import type { Blobs } from '../io/git/blobs.ts'
import type { Git } from '../io/git/git.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { readBlobText } from '../worktree/head.ts'
import { readRegistry } from '../intents/registry.ts'
import { policyFromTexts } from '../policy/load-policy.ts'

/** The policies from before some commits: none of the commits widens the rules for another one. */
export type BasePolicies = {
  readonly blobs: Blobs
  readonly policyAt: PolicyLookup
  /** The policy that a commit must obey besides its parent's; null when nothing was governed before. */
  basePolicyOf(commit: Pick<Commit, 'oid'>): BasePolicy | null
}

/** A policy, and the config of the same commit. */
export type BasePolicy = {
  readonly policy: Policy
  readonly config: Config
  /** The commit that has both. */
  readonly commit: string
  /** The last commit since then that changes a policy file. */
  readonly changedBy: Commit | null
}

/**
 * Finds the base policy of each commit: that of the commit at which its line of first parents enters the range, or a
 * later one merged since. Commits of an unrelated history with a registry of its own obey the policy of `base`. When
 * nothing was governed before the range, the policy of each parent is the only one.
 */
export async function basePoliciesOf(
  { git, blobs }: { readonly git: Git; readonly blobs: Blobs },
  commits: readonly Commit[],
  { base }: { readonly base: string | null },
): Promise<BasePolicies> {
  const policyAt = policyLookup(blobs, [])
  const basePolicyAt = basePolicyReader(blobs, policyAt)
  const fallback = base === null ? null : await basePolicyAt(base)
  const before = new Map<string, BasePolicy | null>()
  const after = new Map<string, BasePolicy | null>()
  // Parents come before their children.
  for (const commit of commits) {
    const [parent = '', ...others] = commit.parents
    const own = parent === '' ? null : await basePolicyAt(parent)
    const known = (after.has(parent) ? after.get(parent) : own) ?? null
    before.set(commit.oid, known ?? (own && (fallback ?? own)))
    const merged = await Promise.all(others.map(async it => (after.has(it) ? after.get(it) : basePolicyAt(it))))
    after.set(commit.oid, known && withLastChange(await latestBase(git, known, merged), commit))
  }
  // A commit without a base policy of its own (older than the registry, or of an orphan branch) obeys that of `base`.
  return { blobs, policyAt, basePolicyOf: ({ oid }) => before.get(oid) ?? fallback }
}

// A merged policy counts only when it is later: else merging an old commit would restore its looser rules.
async function latestBase(
  git: Git,
  known: BasePolicy,
  merged: readonly (BasePolicy | null | undefined)[],
): Promise<BasePolicy> {
  let last = known
  for (const it of merged)
    if (it && it.policy !== last.policy && (await git.tryAsk(isAncestor(last.commit, it.commit)))) last = it
  return last
}

function withLastChange(base: BasePolicy, commit: Commit): BasePolicy {
  return commit.changes.some(it => POLICY_FILES.includes(it.path)) ? { ...base, changedBy: commit } : base
}

function basePolicyReader(blobs: Blobs, policyAt: PolicyLookup): (commit: string) => Promise<BasePolicy | null> {
  const configs = new Map<string | null, Config>()
  return async commit => {
    const policy = await policyAt(commit)
    if (!policy) return null
    const text = await readBlobText(blobs, `${commit}:${CONFIG_PATH}`)
    const config = configs.get(text) ?? readConfig(text).config
    configs.set(text, config)
    return { policy, config, commit, changedBy: null }
  }
}

/** Answers the policy that judges the children of a commit; null when that commit has no registry. */
export type PolicyLookup = (commit: string) => Promise<Policy | null>

/**
 * Reads the policy of each commit from that commit, so that later, stricter rules don't accuse it. The newcomers count
 * as open intents as well: the judged commit may be the one that adds them.
 */
export function policyLookup(blobs: Blobs, newcomers: readonly PolicyIntent[]): PolicyLookup {
  const known = new Map<string, Policy | null>()
  return async commit => {
    const texts = await Promise.all(POLICY_FILES.map(it => readBlobText(blobs, `${commit}:${it}`)))
    const key = JSON.stringify(texts)
    const policy = known.has(key) ? known.get(key) : withNewcomers(policyFromTexts(texts), newcomers)
    known.set(key, policy ?? null)
    return policy ?? null
  }
}

/** The intents in a commit's registry; none when it is missing or damaged. */
export async function intentsAtCommit(blobs: Blobs, commit: string): Promise<readonly PolicyIntent[]> {
  return readRegistry((await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) ?? '').intents
}

function withNewcomers(policy: Policy | null, newcomers: readonly PolicyIntent[]): Policy | null {
  if (!policy) return null
  const ids = new Set(policy.intents.map(it => it.id))
  const others = newcomers.filter((it, n) => !ids.has(it.id) && newcomers.findIndex(({ id }) => id === it.id) === n)
  const open = others.map(({ id, name, owned_scope }) => ({ id, name, owned_scope, status: 'PENDING' as const }))
  return { ...policy, intents: [...policy.intents.map(asOpen), ...open] }
}

function asOpen(intent: PolicyIntent): PolicyIntent {
  return isFinalStatus(intent.status) ? intent : { ...intent, status: 'PENDING' }
}
