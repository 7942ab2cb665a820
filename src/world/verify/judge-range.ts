import { asEnforced } from '../../core/rules/apply-rules.ts'
import { type Commit, commitsIn } from '../../core/git/trailers/commits.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { Finding } from '../../core/base/finding.ts'
import { CONFIG_PATH } from '../../core/base/governance-files.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import type { Approval } from '../../core/rules/approval.ts'
import { withRewriteHint } from '../../core/rules/hints.ts'
import {
  asItLands,
  asRebased,
  autosquashFindings,
  policyInRange,
  takenBackLater,
  unjudgedHistory,
} from '../../core/rules/range-rules.ts'
import { withoutBotFindings } from '../../core/rules/bots.ts'
import { type BasePolicies, basePoliciesOf, type BasePolicy } from '../commits/base-policy.ts'
import { readConfig } from '../../core/intents/config.ts'
import { changedPaths } from '../../core/git/merges.ts'
import { mergeBase } from '../../core/git/revisions.ts'
import { readBlobText } from '../io/worktree/head.ts'
import { type Landing, landingFindings, landingOf } from './landing.ts'
import { squashFindings } from './squash.ts'
import { withTargetPolicy } from './target-policy.ts'
import { type JudgedCommit, judgeCommits } from '../commits/judge-commits.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import { shallowError } from './verify-range.ts'
import type { VerifyRange } from './range.ts'
import { judgedPolicyCommits, policyFindingsOf } from './judged-policy-changes.ts'
import { agentChangeLookup, otherIntentFindings } from './agents-changes.ts'
import { type GovernanceFacts, governanceFindings } from './governance-findings.ts'
import { unreadablePolicy } from './policy-tip.ts'
import { replacedHistoryFindings } from './replaced-history.ts'
import { grantLookup, signatureLookup } from './rule-signatures.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

/** Options for judging ranges. */
export type JudgeRangeOptions = {
  /** An empty range is not an error. */
  readonly allowEmpty: boolean
  /** The commits at which a shallow clone ends are passed over, and no error. */
  readonly allowCut?: boolean
  /** The approvals in the ledger. */
  readonly approvals: readonly Approval[]
  /** The end of that ledger; null where there is none. */
  readonly ledgerEnd: string | null
  /** Each commit obeys the policy of its own first parent, and no other: each was merged before. */
  readonly isEach?: boolean
  /** No commit may change behaviour, whatever its intent is. */
  readonly onlyRefactors?: boolean
}

type JudgedCommits = {
  readonly judged: readonly JudgedCommit[]
  readonly findings: readonly CommitFinding[]
  /** What would be wrong once the range is merged into its target. */
  readonly landing: readonly CommitFinding[]
}

/** Judges the commits of a range: each by the policy from before it, and whether the policy can be read at its end. */
export async function judgeRange(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  options: JudgeRangeOptions,
): Promise<JudgedCommits> {
  const own = await listCommitsToJudge(workspace, range, options)
  const known = await judgedPolicyCommits(workspace, range, own)
  const commits = [...known, ...own]
  const { approvals, ledgerEnd, isEach = false, onlyRefactors = false } = options
  const isByAgent = agentChangeLookup(workspace, ledgerEnd)
  const signatureOf = signatureLookup(workspace, isEach ? null : (range.target ?? range.base))
  const landing = isEach ? null : await landingOf(workspace, range)
  const policyRange = { ...range, isLanding: landing !== null, isApproved: grantLookup(signatureOf, approvals), isEach }
  const basePolicies = await basePoliciesOf(workspace, commits, policyRange)
  const unjudged = await unjudgedSources(workspace, commits, range)
  const context = { rewrites: new Map(), basePolicies, unjudged, onlyRefactors }
  const all = await judgeCommits(workspace, commits, context)
  const judged = all.filter(it => !known.includes(it.commit))
  const governed = judged.filter(it => !it.isExempt)
  const ofPolicy = policyFindingsOf(workspace, known, { approvals, isByAgent })
  const lands = (commits[0] && basePolicies.basePolicyOf(commits[0]))?.config.verify.lands ?? 'any'
  const findings: CommitFinding[] = []
  for (const it of all.filter(each => !each.isExempt)) {
    const inCommit = await findingsInCommit(workspace, it, {
      basePolicies,
      approvals,
      isByAgent,
      signatureOf,
      ledgerEnd,
    })
    const found = known.includes(it.commit) ? await ofPolicy(inCommit) : inCommit
    const judgedCommit = { commit: it.commit, findings: found }
    const landed = landing ? asRebased(await withTargetPolicy(workspace, judgedCommit, landing), lands) : found
    for (const each of landed) findings.push(each)
  }
  const inRange = [
    ...(await withTakenBack(workspace, range, findings)),
    ...(isEach ? [] : await broughtUnjudged(judged, range, basePolicies)),
    ...(await unreadablePolicy(workspace, range)),
    ...(await replacedHistoryFindings(workspace, range)),
  ]
  const asLanded = { range, landing, governed, isRefused: inRange.some(it => it.level === 'block') }
  const judgeAgain = async (other: VerifyRange) => (await judgeRange(workspace, other, options)).findings
  return {
    judged,
    findings: inRange,
    landing: isEach ? [] : asItLands(await findingsAtTarget(workspace, asLanded, judgeAgain), lands),
  }
}

type LandedRange = {
  readonly range: VerifyRange
  readonly landing: Landing | null
  readonly governed: readonly JudgedCommit[]
  readonly isRefused: boolean
}

async function findingsAtTarget(
  workspace: ScratchWorkspace,
  { range, landing, governed, isRefused }: LandedRange,
  judgeAgain: (range: VerifyRange) => Promise<readonly CommitFinding[]>,
): Promise<CommitFinding[]> {
  const found = landing === null ? [] : await landingFindings(workspace, landing, governed)
  const atTarget = found.map(it => asCommitFinding(it, undefined))
  if (isRefused) return atTarget
  const commits = governed.map(it => it.commit)
  return [...atTarget, ...(await squashFindings(workspace, { range, commits, known: atTarget }, judgeAgain))]
}

// A branch that stays without a registry brings nothing to a governed one, and an adoption makes its own start.
async function broughtUnjudged(
  judged: readonly JudgedCommit[],
  { base, target, to }: VerifyRange,
  { policyAt }: BasePolicies,
): Promise<CommitFinding[]> {
  const unjudged = judged.filter(it => it.isExempt).map(it => it.commit)
  const newest = unjudged.at(-1)
  const tip = target ?? base
  if (newest === undefined || tip === null || !(await policyAt(tip)) || !(await policyAt(to))) return []
  const paths = [...new Set(unjudged.flatMap(it => it.changes.map(change => change.path)))]
  return [asCommitFinding(unjudgedHistory(unjudged.length, newest, paths), newest)]
}

// For a file outside of the scope it is enough that the range takes it back; a forbidden path may be a secret.
async function withTakenBack(
  { git }: ScratchWorkspace,
  { base, to }: VerifyRange,
  findings: readonly CommitFinding[],
): Promise<readonly CommitFinding[]> {
  const isOutside = ({ rule, level, path }: Finding) => rule === 'in-scope' && level === 'block' && path !== null
  if (base === null || !findings.some(isOutside)) return findings
  // The target may have moved since the range left it.
  const changed = await git.tryAsk(changedPaths((await git.tryAsk(mergeBase(base, to))) ?? base, to))
  return findings.map(it =>
    isOutside(it) && changed?.includes(it.path ?? '') === false ? { ...it, ...takenBackLater(it) } : it,
  )
}

async function listCommitsToJudge(
  workspace: ScratchWorkspace,
  { name, to, without }: VerifyRange,
  { allowEmpty, allowCut = false }: JudgeRangeOptions,
): Promise<readonly Commit[]> {
  const commits = await workspace.git.ask(commitsIn([to, '--not', ...without], { countMax: null }))
  if (commits.length === 0 && !allowEmpty) throw new KotefError('range-empty', `${name} has no commit to judge.`)
  if (allowCut) return commits
  const ends = await readShallowEnds(workspace)
  const cut = commits.find(it => ends.has(it.oid))
  if (cut) throw shallowError(`${name}: this clone is shallow, and has no history before ${cut.oid}.`)
  return commits
}

// A bot that only the range itself names is not exempt yet.
async function withBots(
  { blobs }: ScratchWorkspace,
  commit: Commit,
  { findings, base }: { readonly findings: readonly Finding[]; readonly base: BasePolicy },
): Promise<readonly Finding[]> {
  const found = withoutBotFindings(findings, commit, base.config.bots)
  if (found.length === 0) return found
  const { config } = readConfig(await readBlobText(blobs, `${commit.parents[0] ?? ''}:${CONFIG_PATH}`))
  const others = withoutBotFindings(found, commit, config.bots)
  return found.map(it =>
    others.includes(it) || it.rule === 'policy-in-range' ? it : policyInRange(it, base.changedBy),
  )
}

/** The commits that others were made from and that are neither in the range nor before it: they were not judged. */
async function unjudgedSources(
  { git }: ScratchWorkspace,
  commits: readonly Commit[],
  { without, judged }: VerifyRange,
): Promise<Set<string>> {
  const names = [...new Set(commits.flatMap(it => it.referencedCommits))]
  if (names.length === 0) return new Set()
  const before = [...without, ...judged, ...(await git.ask(trunkTips))]
  const args = ['rev-list', '--ignore-missing', ...names, '--not', ...before, '--']
  const reached = (await git.tryAsk({ args, parse: out => out.split('\n').slice(0, -1) })) ?? []
  const own = new Set(commits.map(it => it.oid))
  return new Set(reached.filter(it => !own.has(it)))
}

async function findingsInCommit(
  workspace: ScratchWorkspace,
  { commit, findings, inherited }: JudgedCommit,
  facts: GovernanceFacts & { readonly ledgerEnd: string | null },
): Promise<CommitFinding[]> {
  const base = facts.basePolicies.basePolicyOf(commit)
  const levelled = base ? await withBots(workspace, commit, { findings, base }) : findings
  const governance = base ? await governanceFindings(workspace, commit, { ...facts, base, inherited }) : []
  const ofLedger = otherIntentFindings(commit.oid, facts.ledgerEnd)
  const all = [...levelled, ...governance, ...autosquashFindings(commit), ...ofLedger]
  return (base ? asEnforced(all, base.policy) : all).map(it => asCommitFinding(withRewriteHint(it, commit), commit))
}

/** The tips of the remotes' default branches: what they have was judged. */
const trunkTips: GitQuery<string[]> = {
  args: ['for-each-ref', '--format=%(objectname)', ...['HEAD', 'main', 'master'].map(it => `refs/remotes/*/${it}`)],
  parse: out => out.split('\n').slice(0, -1),
}

/** A finding about a commit, or about none. */
export function asCommitFinding(finding: Finding, commit: Pick<Commit, 'oid' | 'subject'> | undefined): CommitFinding {
  return { ...finding, commit: commit?.oid ?? null, subject: commit?.subject ?? null }
}

/** The findings without those that several ranges have. */
export function distinctFindings(findings: readonly CommitFinding[]): CommitFinding[] {
  const byKey = new Map(findings.map(it => [JSON.stringify([it.commit, it.rule, it.path, it.message]), it]))
  return [...byKey.values()]
}
