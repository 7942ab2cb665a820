import type { Commit } from '../../core/git/trailers/commits.ts'
import { refuseNewer } from '../intents/policy/load-policy.ts'
import { CONFIG_PATH, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { CommitFinding, JudgedRange, Verification } from '../../core/report/verification.ts'
import { noteFindings } from '../provenance/note-findings.ts'
import { asCommitFinding, distinctFindings, judgeRange, type JudgeRangeOptions } from './judge-range.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import { contractFindings } from './verify-checks.ts'
import type { VerifyRange } from './range.ts'
import { readBlobText } from '../io/worktree/head.ts'

/** Options for verifying ranges. */
export type VerifyRangesOptions = JudgeRangeOptions & {
  /** A line without a known author is a finding. */
  readonly requireTrace: boolean
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
  refuseNewer((await readBlobText(workspace.blobs, `${range.to}:${CONFIG_PATH}`)) ?? '')
  const { judged, findings, landing } = await judgeRange(workspace, range, options)
  const governed = judged.filter(it => !it.isExempt).map(it => it.commit)
  const noteProblems = await noteFindings(workspace, governed, options)
  const { name, from, to } = range
  const counts = { commits: governed.length, passedOver: judged.length - governed.length }
  return {
    judgedRange: { name, from, to, ...counts, remark: await remarkOf(workspace, range, counts) },
    findings: [
      ...findings,
      ...landing,
      ...(await contractFindings(workspace, range, governed)),
      ...noteProblems.map(it => asCommitFinding(it, governedCommit(governed, it.commit))),
    ],
    commits: governed,
  }
}

function governedCommit(commits: readonly Commit[], oid: string): Commit | undefined {
  return commits.find(it => it.oid === oid)
}

// Without a registry no commit was judged, and "no findings" alone would be misleading.
async function remarkOf(
  { blobs }: ScratchWorkspace,
  { from, to, remark }: VerifyRange,
  { commits, passedOver }: { readonly commits: number; readonly passedOver: number },
): Promise<string | null> {
  if (commits > 0) return remark
  for (const commit of [to, from])
    if (commit && (await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) !== null)
      return remark ?? (passedOver === 0 ? 'no new commit' : null)
  return `nothing to judge: neither end has a registry (${REGISTRY_PATH})`
}
