import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { openScratchGit } from '../io/git/scratch-git.ts'
import { KotefError } from '../findings/failure.ts'
import type { Approval } from '../rules/approval.ts'
import type { CommitFinding, Verification } from '../report/verification.ts'
import { ciRange } from './ci-range.ts'
import { readBlobText } from '../worktree/files-at-head.ts'
import { type LedgerReport, ledgerFindings } from './ledger-findings.ts'
import { readPush } from './push-ranges.ts'
import { type VerifyRange, parseVerifyRange } from './verify-range.ts'
import { type ScratchWorkspace, verifyRanges } from './verify-ranges.ts'
import { verifyStaged } from './verify-staged.ts'
import { verifyChecks } from './verify-checks.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What somebody wants to be verified. */
export type VerifyMode =
  | { readonly way: 'range'; readonly range: string | null }
  | { readonly way: 'staged' }
  | { readonly way: 'pre-receive'; readonly lines: string }
  | { readonly way: 'ci' }

export type VerifyRequest = {
  readonly way: VerifyMode
  readonly env: NodeJS.ProcessEnv
  readonly allowEmpty: boolean
  readonly requireTrace: boolean
  readonly runChecks: boolean
  /** Told before each check runs. */
  readonly running: (command: string) => void
}

/** Verifies what is asked for, with all that this repository knows of it: a worktree has a ledger and files as well. */
export async function runVerify(workspace: Workspace, wish: VerifyRequest): Promise<Verification> {
  const { way, env } = wish
  await using scratch = await openScratchGit(workspace, env)
  const bench = { ...workspace, git: scratch.git, blobs: scratch.blobs }
  switch (way.way) {
    case 'pre-receive':
      return await verifyPush(bench, way.lines, wish)
    case 'staged':
      return await verifyStaged(bench, wish)
    case 'ci':
      return await verifySingleRange(bench, await ciRange(bench, env), { ...wish, approvals: [] })
    case 'range':
      return await verifyLocalRange(bench, await parseVerifyRange(bench, way.range), wish)
  }
}

async function verifyPush(bench: ScratchWorkspace, lines: string, wish: VerifyRequest): Promise<Verification> {
  const { ranges, findings } = await readPush(bench, lines)
  // A branch may be made of what others have.
  const verified = await verifyRanges(bench, ranges, { ...wish, allowEmpty: true, approvals: [] })
  return { ranges: verified.ranges, findings: [...findings, ...verified.findings] }
}

async function verifyLocalRange(
  bench: ScratchWorkspace,
  range: VerifyRange,
  wish: VerifyRequest,
): Promise<Verification> {
  const { findings, approvals } = await readLedgerReport(bench)
  const { ranges, findings: found } = await verifySingleRange(bench, range, { ...wish, approvals })
  return { ranges, findings: [...found, ...findings.map(withoutCommit)] }
}

async function verifySingleRange(
  bench: ScratchWorkspace,
  range: VerifyRange,
  wish: VerifyRequest & { readonly approvals: readonly Approval[] },
): Promise<Verification> {
  const { commits, ranges, findings } = await verifyRanges(bench, [range], wish)
  await requireGovernedRange(bench, range, { ranges, findings })
  const checks = wish.runChecks ? await verifyChecks(bench, { range, commits }, wish) : []
  return { ranges, findings: [...findings, ...checks] }
}

// Where nothing was ever governed, "nothing is wrong" would be no answer.
async function requireGovernedRange(
  { blobs }: ScratchWorkspace,
  { from, to }: VerifyRange,
  { ranges }: Verification,
): Promise<void> {
  if (ranges.some(it => it.commits > 0 || it.passedOver === 0)) return
  for (const commit of [to, from])
    if (commit && (await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) !== null) return
  throw new KotefError('not-governed', `No commit of this range has a ${REGISTRY_PATH}.`)
}

// A bare repository has none, and nor has a fresh clone.
async function readLedgerReport(workspace: Workspace): Promise<Omit<LedgerReport, 'records'>> {
  const isThere = (await workspace.files.modifiedAt(layoutOf(workspace).ledger)) !== null
  return isThere ? ledgerFindings(workspace) : { findings: [], approvals: [] }
}

function withoutCommit(finding: Omit<CommitFinding, 'commit' | 'subject'>): CommitFinding {
  return { ...finding, commit: null, subject: null }
}
