import type { Commit } from '../diff/commits.ts'
import { CONFIG_PATH } from '../intents/paths.ts'
import { type Config, readConfig } from '../intents/config.ts'
import { isContained } from '../diff/range.ts'
import type { Blobs } from '../io/blobs.ts'
import type { Git } from '../io/git.ts'
import type { Policy } from '../scope/policy.ts'
import { POLICY_FILES } from '../scope/state.ts'
import { textAt } from './committed.ts'
import { policiesIn, type PolicyAt } from './policy-at.ts'

/** What stood before some commits: no commit of theirs widens what another one may do. */
export type Bounds = {
  readonly blobs: Blobs
  readonly policyAt: PolicyAt
  /** What a commit is held to besides the policy of its parent; null when nothing was governed before. */
  boundOf(commit: Pick<Commit, 'oid'>): Bound | null
}

/** A policy and the settings that go with it. */
export type Bound = {
  readonly policy: Policy
  readonly config: Config
  /** The commit that has them. */
  readonly at: string
  /** The last commit since that changes any of them. */
  readonly changedBy: Commit | null
}

/**
 * Finds for each commit the one that its line of first parents left history at, or a later one that was merged into it
 * since. Who brings a registry of their own beside one that is there is held to that, which `base` has. Where nothing
 * was there before, each parent's word holds.
 */
export async function boundsOf(
  { git, blobs }: { readonly git: Git; readonly blobs: Blobs },
  commits: readonly Commit[],
  { base }: { readonly base: string | null },
): Promise<Bounds> {
  const policyAt = policiesIn(blobs, [])
  const boundAt = boundsAt(blobs, policyAt)
  const beside = base === null ? null : await boundAt(base)
  const before = new Map<string, Bound | null>()
  const after = new Map<string, Bound | null>()
  // Parents come before their children.
  for (const commit of commits) {
    const [parent = '', ...others] = commit.parents
    const own = parent === '' ? null : await boundAt(parent)
    const known = (after.has(parent) ? after.get(parent) : own) ?? null
    before.set(commit.oid, known ?? (own && (beside ?? own)))
    const merged = await Promise.all(others.map(async it => (after.has(it) ? after.get(it) : boundAt(it))))
    after.set(commit.oid, known && since(await latest(git, known, merged), commit))
  }
  // What comes in beside a history that is governed is held to what governs it, be it older than that or an orphan.
  return { blobs, policyAt, boundOf: ({ oid }) => before.get(oid) ?? beside }
}

// What was merged counts when it is later: else an old commit could be merged for what was allowed at its time.
async function latest(git: Git, known: Bound, merged: readonly (Bound | null | undefined)[]): Promise<Bound> {
  let last = known
  for (const it of merged)
    if (it && it.policy !== last.policy && (await git.tryAsk(isContained(last.at, it.at)))) last = it
  return last
}

function since(bound: Bound, commit: Commit): Bound {
  return commit.changes.some(it => POLICY_FILES.includes(it.path)) ? { ...bound, changedBy: commit } : bound
}

function boundsAt(blobs: Blobs, policyAt: PolicyAt): (commit: string) => Promise<Bound | null> {
  const configs = new Map<string | null, Config>()
  return async commit => {
    const policy = await policyAt(commit)
    if (!policy) return null
    const text = await textAt(blobs, `${commit}:${CONFIG_PATH}`)
    const config = configs.get(text) ?? readConfig(text).config
    configs.set(text, config)
    return { policy, config, at: commit, changedBy: null }
  }
}
