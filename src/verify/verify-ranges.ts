import { type Commit, commitsIn } from '../trailers/commits.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { KotefError } from '../findings/failure.ts'
import type { Finding } from '../findings/finding.ts'
import type { CommitFinding, JudgedRange, Verification } from '../report/verification.ts'
import { type Approval, isApproved, governanceFilesIn } from '../rules/approval.ts'
import { noteFindings } from '../provenance/note-findings.ts'
import { governanceChanges } from '../rules/governance-changes.ts'
import { withRewriteHint } from '../rules/rewrite-hints.ts'
import { autosquashFindings, withoutBotFindings, governanceFinding } from '../rules/range-rules.ts'
import { type BasePolicy, type BasePolicies, basePoliciesOf } from '../commits/base-policy.ts'
import { type JudgedCommit, judgeCommits } from '../commits/judge-commits.ts'
import { shallowError, type VerifyRange, readShallowEnds } from './verify-range.ts'
import { isTransitionsOnly } from '../registry/transitions-only.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** How ranges are to be verified. */
export type VerifyRangesOptions = {
  /** A range without a commit is fine. */
  readonly allowEmpty: boolean
  /** A line whose author no record knows is a finding. */
  readonly requireTrace: boolean
  /** What people approved, as the ledger tells. */
  readonly approvals: readonly Approval[]
}

/** The last word on some ranges: each commit by the policy from before it, and nothing is written meanwhile. */
export async function verifyRanges(
  bench: ScratchWorkspace,
  ranges: readonly VerifyRange[],
  wish: VerifyRangesOptions,
): Promise<Verification & { readonly commits: readonly Commit[] }> {
  const verified: RangeResult[] = []
  for (const range of ranges) verified.push(await verifyRange(bench, range, wish))
  return {
    ranges: verified.map(it => it.judgedRange),
    findings: distinctFindings(verified.flatMap(it => it.findings)),
    commits: verified.flatMap(it => it.commits),
  }
}

/** A workspace whose git leaves nothing behind. */
export type ScratchWorkspace = Workspace & { readonly blobs: Blobs }

type RangeResult = {
  readonly judgedRange: JudgedRange
  readonly findings: CommitFinding[]
  readonly commits: readonly Commit[]
}

async function verifyRange(
  bench: ScratchWorkspace,
  range: VerifyRange,
  wish: VerifyRangesOptions,
): Promise<RangeResult> {
  const commits = await listCommitsToJudge(bench, range, wish)
  const bounds = await basePoliciesOf(bench, commits, range)
  const unjudged = await unjudgedSources(bench, commits, range)
  const judged = await judgeCommits(bench, commits, { tips: [], rewrites: new Map(), basePolicies: bounds, unjudged })
  const governed = judged.filter(it => !it.isExempt)
  const findings: CommitFinding[] = []
  for (const it of governed)
    for (const each of await findingsInCommit(it, { bounds, approvals: wish.approvals })) findings.push(each)
  const governedCommits = governed.map(it => it.commit)
  const noteProblems = await noteFindings(bench, governedCommits, wish)
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
  bench: ScratchWorkspace,
  { name, to, without }: VerifyRange,
  { allowEmpty }: VerifyRangesOptions,
): Promise<readonly Commit[]> {
  const commits = await bench.git.ask(commitsIn([to, '--not', ...without], { countMax: null }))
  if (commits.length === 0 && !allowEmpty) throw new KotefError('range-empty', `${name} has no commit to judge.`)
  const ends = await readShallowEnds(bench)
  const cut = commits.find(it => ends.has(it.oid))
  if (cut) throw shallowError(`${name}: this clone is shallow, and knows nothing before ${cut.oid}.`)
  return commits
}

/** What commits say that they were made from, and neither they nor the history before them have: nobody judged it. */
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

type GovernanceContext = { readonly bounds: BasePolicies; readonly approvals: readonly Approval[] }

async function findingsInCommit(
  { commit, findings }: JudgedCommit,
  { bounds, approvals }: GovernanceContext,
): Promise<CommitFinding[]> {
  const bound = bounds.basePolicyOf(commit)
  const levelled = bound ? withoutBotFindings(findings, commit, bound.config.bots) : findings
  const governance = bound ? await governanceFindings(commit, bound, { bounds, approvals }) : []
  return [...levelled, ...governance, ...autosquashFindings(commit)].map(it =>
    asCommitFinding(withRewriteHint(it, commit), commit),
  )
}

// What a merge brings was brought by its commits. Without the trailer it is no change that anybody could approve.
async function governanceFindings(
  commit: Commit,
  bound: BasePolicy,
  { bounds, approvals }: GovernanceContext,
): Promise<Finding[]> {
  const { changes, parents, governance } = commit
  if (parents.length > 1 || governance === null) return []
  const governanceFiles = governanceFilesIn({ changes, policy: bound.policy, onlyTransitions: false })
  const findings: Finding[] = []
  for (const change of governanceFiles) {
    const { path, before, after } = change
    if (await isTransitionsOnly(bounds.blobs, change)) continue
    const [old, anew] = [await blobTextOrNull(bounds.blobs, before), await blobTextOrNull(bounds.blobs, after)]
    const isStrict = bound.config.verify.governance === 'strict'
    const known = { isStrict, isApproved: isApproved(change, parents[0] ?? null, approvals) }
    const found = governanceChanges({ path, before: old, after: anew })
    for (const each of found.map(it => governanceFinding(path, it, known))) findings.push(each)
  }
  return findings
}

async function blobTextOrNull(blobs: Blobs, end: { readonly oid: string } | null): Promise<string | null> {
  return end && ((await blobs.read(end.oid))?.toString('utf8') ?? null)
}

function asCommitFinding(finding: Finding, commit: Pick<Commit, 'oid' | 'subject'> | undefined): CommitFinding {
  return { ...finding, commit: commit?.oid ?? null, subject: commit?.subject ?? null }
}

// A commit may be in several ranges, which may differ in where they begin.
function distinctFindings(findings: readonly CommitFinding[]): CommitFinding[] {
  const byKey = new Map(findings.map(it => [JSON.stringify([it.commit, it.rule, it.path, it.message]), it]))
  return [...byKey.values()]
}
