import { LESSONS_PATH } from '../../core/base/governance-files.ts'
import type { Anchor } from '../../core/ledger/anchors.ts'
import type { ContinuityBreak } from '../../core/ledger/chain.ts'
import type { Finding, Problem } from '../../core/base/finding.ts'
import type { Approval } from '../../core/rules/approval.ts'
import { queryLedger } from '../ledger/query-ledger.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { approvalsInRecord, type InspectedLedger, inspectLedger } from './inspect-ledger.ts'

/** The result of reading a whole ledger: number of records, findings, and the approvals that it records. */
export type LedgerReport = {
  readonly records: number
  readonly findings: readonly Finding[]
  readonly approvals: readonly Approval[]
}

/** Reads all of this worktree's ledger: damaged lines, gaps in the chain, heads in commits, and untraced changes. */
export async function ledgerFindings(workspace: Workspace, anchors: readonly Anchor[] = []): Promise<LedgerReport> {
  const inspected = await inspectLedger(workspace, anchors)
  const { records, approvals } = inspected
  return { records, approvals, findings: await findingsOfLedger(workspace, inspected) }
}

/** The findings in a ledger that was inspected. */
export async function findingsOfLedger(
  workspace: Workspace,
  { problems, broken, breaks }: InspectedLedger,
): Promise<Finding[]> {
  return [...problems.map(damageFinding), ...broken, ...(await untracedChanges(workspace, breaks))]
}

/** What the catalogue knows of a ledger, for a caller that has its findings by another way. */
export async function ledgerByCatalogue(workspace: Workspace): Promise<LedgerReport> {
  const { older: records } = await queryLedger(workspace, { wanted: {}, limit: 0 })
  const approved = await queryLedger(workspace, { wanted: { event: 'approved' }, limit: null })
  return { records, findings: [], approvals: approved.records.flatMap(approvalsInRecord) }
}

function damageFinding({ file, line, expected, found }: Problem): Finding {
  return {
    rule: 'ledger-damaged',
    level: 'block',
    path: file,
    message: `Line ${line}: expected ${expected}, found ${found}`,
    hint: "This line is skipped. Begin a new ledger without it: `kotef trace close --reason 'why'`",
  }
}

/** Finds content between two records that neither the ledger nor git has. Content that git has came from git. */
async function untracedChanges(workspace: Workspace, breaks: readonly ContinuityBreak[]): Promise<Finding[]> {
  await using blobs = openBlobs(workspace.root)
  const findings: Finding[] = []
  for (const { path, line, before } of breaks) {
    // kotef writes lessons between two writes of others.
    if (path === LESSONS_PATH || before === null || (await blobs.read(before)) !== null) continue
    findings.push({
      rule: 'untraced-change',
      level: 'review',
      path,
      message: `Line ${line}: ${path} changed before this write, and no record has the change`,
      hint: `See what is known with \`kotef trace --file ${path}\``,
    })
  }
  return findings
}
