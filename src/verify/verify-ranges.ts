import { type Commit, commitsIn } from '../trailers/commits.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { KotefError } from '../findings/failure.ts'
import type { Finding } from '../findings/finding.ts'
import type { CommitFinding, JudgedRange, Verification } from '../report/verification.ts'
import { type Approval, isApproved, governanceFilesIn } from '../rules/approval.ts'
import { noteFindings } from '../provenance/note-findings.ts'
import { governanceChanges } from '../rules/governance-changes.ts'
import { withRewriteHint } from '../rules/hints.ts'
import { autosquashFindings, withoutBotFindings, governanceFinding } from '../rules/range-rules.ts'
import { type BasePolicies, basePoliciesOf, type BasePolicy } from '../commits/base-policy.ts'
import { type JudgedCommit, judgeCommits, readShallowEnds } from '../commits/judge-commits.ts'
import { shallowError, type VerifyRange } from './verify-range.ts'
import { isTransitionsOnly } from '../registry/transitions-only.ts'
import { readBlobText } from '../worktree/head.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Options for verifying ranges. */
export type VerifyRangesOptions = {
  /** An empty range is not an error. */
  readonly allowEmpty: boolean
  /** A line without a known author is a finding. */
  readonly requireTrace: boolean
  /** The approvals in the ledger. */
  readonly approvals: readonly Approval[]
}

/** The final judgement of some ranges: each commit by the policy from before it. It writes nothing. */
export async function verifyRanges(
  workspace: ScratchWorkspace,
  ranges: readonly VerifyRange[],
  options: VerifyRangesOptions,
): Promise<Verification & { readonly commits: readonly Commit[] }> {
  const verified: RangeResult[] = []
  for (const range of ranges) verified.push(await verifyRange(workspace, range, options))
  return {
    ranges: verified.map(it => it.judgedRange),
    findings: distinctFindings(verified.flatMap(it => it.findings)),
    commits: verified.flatMap(it => it.commits),
  }
}

/** A workspace whose git writes new objects to a temporary folder. */
export type ScratchWorkspace = Workspace & { readonly blobs: Blobs }

type RangeResult = {
  readonly judgedRange: JudgedRange
  readonly findings: CommitFinding[]
  readonly commits: readonly Commit[]
}

async function verifyRange(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  options: VerifyRangesOptions,
): Promise<RangeResult> {
  const commits = await listCommitsToJudge(workspace, range, options)
  const basePolicies = await basePoliciesOf(workspace, commits, range)
  const unjudged = await unjudgedSources(workspace, commits, range)
  const judged = await judgeCommits(workspace, commits, {
    tips: [],
    rewrites: new Map(),
    basePolicies,
    unjudged,
  })
  const governed = judged.filter(it => !it.isExempt)
  const findings: CommitFinding[] = []
  for (const it of governed)
    for (const each of await findingsInCommit(it, { basePolicies, approvals: options.approvals })) findings.push(each)
  const governedCommits = governed.map(it => it.commit)
  const noteProblems = await noteFindings(workspace, governedCommits, options)
  const { name, from, to } = range
  return {
    judgedRange: {
      name,
      from,
      to,
      commits: governedCommits.length,
      passedOver: judged.length - governedCommits.length,
    },
    findings: [
      ...findings,
      ...noteProblems.map(it =>
        asCommitFinding(
          it,
          governedCommits.find(({ oid }) => oid === it.commit),
        ),
      ),
    ],
    commits: governedCommits,
  }
}

async function listCommitsToJudge(
  workspace: ScratchWorkspace,
  { name, to, without }: VerifyRange,
  { allowEmpty }: VerifyRangesOptions,
): Promise<readonly Commit[]> {
  const commits = await workspace.git.ask(commitsIn([to, '--not', ...without], { countMax: null }))
  if (commits.length === 0 && !allowEmpty) throw new KotefError('range-empty', `${name} has no commit to judge.`)
  const ends = await readShallowEnds(workspace)
  const cut = commits.find(it => ends.has(it.oid))
  if (cut) throw shallowError(`${name}: this clone is shallow, and has no history before ${cut.oid}.`)
  return commits
}

/** The commits that others were made from and that are neither in the range nor before it: they were not judged. */
async function unjudgedSources(
  { git }: ScratchWorkspace,
  commits: readonly Commit[],
  { without }: VerifyRange,
): Promise<Set<string>> {
  const names = [...new Set(commits.flatMap(it => it.referencedCommits))]
  if (names.length === 0) return new Set()
  const args = ['rev-list', '--ignore-missing', ...names, '--not', ...without, '--']
  const reached = (await git.tryAsk({ args, parse: out => out.split('\n').slice(0, -1) })) ?? []
  const own = new Set(commits.map(it => it.oid))
  return new Set(reached.filter(it => !own.has(it)))
}

type GovernanceContext = { readonly basePolicies: BasePolicies; readonly approvals: readonly Approval[] }

async function findingsInCommit(
  { commit, findings }: JudgedCommit,
  { basePolicies, approvals }: GovernanceContext,
): Promise<CommitFinding[]> {
  const base = basePolicies.basePolicyOf(commit)
  const levelled = base ? withoutBotFindings(findings, commit, base.config.bots) : findings
  const governance = base ? await governanceFindings(commit, base, { basePolicies, approvals }) : []
  return [...levelled, ...governance, ...autosquashFindings(commit)].map(it =>
    asCommitFinding(withRewriteHint(it, commit), commit),
  )
}

// The commits of a merged side have findings of their own. Without the trailer, governance-reason blocks already.
async function governanceFindings(
  commit: Commit,
  base: BasePolicy,
  { basePolicies, approvals }: GovernanceContext,
): Promise<Finding[]> {
  const { changes, parents, governance } = commit
  if (parents.length > 1 || governance === null) return []
  const governanceFiles = governanceFilesIn({ changes, policy: base.policy, onlyTransitions: false })
  const findings: Finding[] = []
  for (const change of governanceFiles) {
    const { path, before, after } = change
    if (await isTransitionsOnly(basePolicies.blobs, change)) continue
    const oldText = before && (await readBlobText(basePolicies.blobs, before.oid))
    const newText = after && (await readBlobText(basePolicies.blobs, after.oid))
    const isStrict = base.config.verify.governance === 'strict'
    const known = { isStrict, isApproved: isApproved(change, parents[0] ?? null, approvals) }
    const found = governanceChanges({ path, before: oldText, after: newText })
    for (const each of found.map(it => governanceFinding(path, it, known))) findings.push(each)
  }
  return findings
}

function asCommitFinding(finding: Finding, commit: Pick<Commit, 'oid' | 'subject'> | undefined): CommitFinding {
  return { ...finding, commit: commit?.oid ?? null, subject: commit?.subject ?? null }
}

// A commit can be in several ranges.
function distinctFindings(findings: readonly CommitFinding[]): CommitFinding[] {
  const byKey = new Map(findings.map(it => [JSON.stringify([it.commit, it.rule, it.path, it.message]), it]))
  return [...byKey.values()]
}
