import { join } from 'node:path'
import type { Commit } from '../diff/commits.ts'
import { type Blobs, blobsOf } from '../io/blobs.ts'
import { GOVERNANCE } from '../intents/config.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import type { Change } from '../diff/staged.ts'
import type { Finding } from '../report/finding.ts'
import { type Approval, isApproved, isApprovedElsewhere, planeOf } from '../rules/approval.ts'
import { type CommitFacts, onlySettlesConflicts, openIntents } from '../rules/facts.ts'
import { judgeCommit } from '../rules/judge-commit.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { byNewPolicy } from '../rules/new-policy.ts'
import type { Bound, Bounds } from './bounds.ts'
import { heritageOf, type Heritage, type Rewrites } from './inherited.ts'
import { loadRegistry } from './policy.ts'
import { type Own, type OwnOf, ownOfMerges } from './own-of-merges.ts'
import { intentsAt, policiesIn, type PolicyAt } from './policy-at.ts'
import { isMove } from './registry-moves.ts'
import type { Workspace } from './workspace.ts'

/** A commit and what is wrong with it. One from before the adoption is free: nobody judges it. */
export type Judged = { readonly commit: Commit; readonly findings: readonly Finding[]; readonly isFree: boolean }

/** What is known of commits besides themselves: where they lead to, and what they were rewritten from. */
export type Circumstances = {
  readonly tips: readonly string[]
  readonly rewrites: Rewrites
  /** The agents that live where the commits were made; not given where nobody can tell. */
  readonly agents?: readonly string[]
  /** What a person approved there. */
  readonly approvals?: readonly Approval[]
  /** Whose word holds besides: the policy from before the commits, and nothing that is newer or not committed. */
  readonly bounds?: Bounds
  /** Commits that nobody has judged: what is made from them has nothing of theirs. */
  readonly untold?: ReadonlySet<string>
}

/** Judges each commit by the policy of its first parent, and of a merge only what it adds to its parents. */
export async function judgeCommits(
  workspace: Workspace,
  commits: readonly Commit[],
  { tips, rewrites, agents = [], approvals = [], bounds, untold = new Set() }: Circumstances,
): Promise<Judged[]> {
  await using blobs = blobsOf(workspace.root)
  const grounds: Grounds = {
    blobs: bounds?.blobs ?? blobs,
    policyAt: bounds?.policyAt ?? policiesIn(blobs, await newcomers(workspace, blobs, tips)),
    bounds: bounds ?? null,
    heritage: await heritageOf(workspace.git, commits, { rewrites, untold }),
    ownOf: await ownOfMerges(workspace.git, commits),
    cutOff: await cutOffCommits(workspace),
    agents,
    isApproved: ({ oid, parents }, change) =>
      isApproved(change, parents[0] ?? null, approvals) ||
      (rewrites.has(oid) && isApprovedElsewhere(change, approvals)),
  }
  const judged: Judged[] = []
  for (const commit of commits) {
    const findings = await findingsIn(commit, grounds)
    judged.push({ commit, findings: findings ?? [], isFree: findings === null })
  }
  return judged
}

type Grounds = {
  readonly blobs: Blobs
  readonly policyAt: PolicyAt
  readonly bounds: Bounds | null
  readonly heritage: Heritage
  readonly ownOf: OwnOf
  readonly cutOff: ReadonlySet<string>
  readonly agents: readonly string[]
  readonly isApproved: (commit: Commit, change: Change) => boolean
}

// An intent may be younger than a parent, or not committed yet; a registry that is damaged has none to offer.
async function newcomers(workspace: Workspace, blobs: Blobs, tips: readonly string[]): Promise<PolicyIntent[]> {
  const here = await loadRegistry(workspace).catch(() => ({ intents: [] }))
  return [...(await Promise.all(tips.map(it => intentsAt(blobs, it)))).flat(), ...here.intents]
}

// Where a shallow clone ends nobody can tell what a commit changed; it was made elsewhere.
async function cutOffCommits({ files, commonDir }: Workspace): Promise<ReadonlySet<string>> {
  return new Set((await files.read(join(commonDir, 'shallow')))?.toString('latin1').split('\n') ?? [])
}

async function findingsIn(commit: Commit, grounds: Grounds): Promise<Finding[] | null> {
  if (grounds.cutOff.has(commit.oid)) return []
  const [parent] = commit.parents
  const policy = parent === undefined ? null : await grounds.policyAt(parent)
  const own = await grounds.ownOf(commit)
  const changes = own ? [...own.changes, ...takenBy(own, policy, grounds)] : commit.changes
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const adopts = policy === null && Boolean(registry && !registry.before && registry.after)
  const bound = grounds.bounds?.boundOf(commit) ?? null
  if (policy === null && bound === null && !adopts) return null
  const known = {
    ...commit,
    changes,
    live: [],
    agents: grounds.agents,
    approved: false,
    inherited: grounds.heritage(commit),
    replaying: false,
    conflicted: own && own.conflicted,
    registryMoves: registry ? await isMove(grounds.blobs, registry) : false,
  }
  const by = (it: Policy, adoption: boolean) => judgedBy(grounds, commit, { ...known, policy: it, adoption })
  if (!bound) return by(policy ?? UNGOVERNED, adopts)
  const findings = policy ? by(policy, false) : []
  return bound.policy === policy ? findings : bounded(findings, { bound, before: by(bound.policy, false) })
}

// Whoever merges an old commit could take what governed then, and no parent would show a change. The last word is on
// what a merge undoes of others' work as well, unless git had asked which side to take.
function takenBy({ taken, conflicted }: Own, policy: Policy | null, { bounds }: Grounds): Change[] {
  if (!policy) return []
  const plane = planeOf({ changes: taken, policy, registryMoves: false })
  const work = bounds ? taken.filter(it => !conflicted.includes(it.path) && !plane.includes(it)) : []
  return [...plane, ...work]
}

function judgedBy(grounds: Grounds, commit: Commit, facts: CommitFacts): Finding[] {
  return judgeCommit({
    ...facts,
    approved: planeOf(facts).every(it => grounds.isApproved(commit, it)),
    // Nobody knows who was at work when a conflict was settled; whoever might have been will do.
    live: onlySettlesConflicts(facts) ? openIntents(facts.policy).map(it => it.id) : [],
  })
}

// What is fine by the policy at its parent, and was not by the one before, lives by what came in between.
function bounded(
  findings: readonly Finding[],
  { bound: { changedBy }, before }: { bound: Bound; before: readonly Finding[] },
): Finding[] {
  const isKnown = (it: Finding) => findings.some(known => known.level === it.level && isSame(known, it))
  const more = before.filter(it => !isKnown(it))
  return [...findings, ...more.map(it => byNewPolicy(it, changedBy))]
}

// What is wrong with a path is told once, whatever the rule.
function isSame(one: Finding, other: Finding): boolean {
  return one.path === null ? one.rule === other.rule && other.path === null : one.path === other.path
}

const UNGOVERNED: Policy = { intents: [], governance: GOVERNANCE, forbidden: [], intentignore: [] }
