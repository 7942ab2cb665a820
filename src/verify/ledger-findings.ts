import { chainFollower, type ContinuityBreak, continuityFollower } from '../ledger/chain.ts'
import type { Finding, Problem } from '../findings/finding.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { Approval } from '../rules/approval.ts'
import { readLedgerInParts } from '../ledger-store/read-in-parts.ts'
import { readChainHead } from '../ledger-store/append-records.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { openBlobs } from '../io/git/blobs.ts'

/** The result of reading a whole ledger: number of records, findings, and the approvals that it records. */
export type LedgerReport = {
  readonly records: number
  readonly findings: readonly Finding[]
  readonly approvals: readonly Approval[]
}

/** Reads all of this worktree's ledger, and finds damaged lines, gaps in the chain and untraced changes. */
export async function ledgerFindings(workspace: Workspace): Promise<LedgerReport> {
  const { records, damaged, broken, breaks, approvals } = await readWholeLedger(workspace)
  return { records, findings: [...damaged, ...broken, ...(await untracedChanges(workspace, breaks))], approvals }
}

async function readWholeLedger(workspace: Workspace) {
  // The head is read before the ledger: records appended meanwhile must not look like a missing end.
  const chain = chainFollower(await readChainHead(workspace))
  const contents = continuityFollower()
  const [damaged, broken, breaks]: [Finding[], Finding[], ContinuityBreak[]] = [[], [], []]
  const approvals: Approval[] = []
  let records = 0
  for await (const { entries, problems } of readLedgerInParts(workspace)) {
    records += entries.length
    for (const each of problems.map(damageFinding)) damaged.push(each)
    for (const entry of entries) {
      for (const each of chain.follow(entry)) broken.push(each)
      for (const each of contents(entry)) breaks.push(each)
      for (const each of approvalsInRecord(entry.record)) approvals.push(each)
    }
  }
  return { records, damaged, broken: [...broken, ...chain.end()], breaks, approvals }
}

function approvalsInRecord({ timestamp, metadata: { 'dev.kotef': event } }: TraceRecord): Approval[] {
  return event.event === 'approved' ? [{ head: event.parent, at: timestamp, changes: event.changes }] : []
}

function damageFinding({ file, line, expected, found }: Problem): Finding {
  return {
    rule: 'ledger-damaged',
    level: 'block',
    path: file,
    message: `Line ${line}: expected ${expected}, found ${found}`,
    hint: 'This line is skipped; the other records are not affected.',
  }
}

/** Finds content between two records that neither the ledger nor git has. Content that git has came from git. */
async function untracedChanges(workspace: Workspace, breaks: readonly ContinuityBreak[]): Promise<Finding[]> {
  await using blobs = openBlobs(workspace.root)
  const findings: Finding[] = []
  for (const { path, line, before } of breaks) {
    if (before === null || (await blobs.read(before)) !== null) continue
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
