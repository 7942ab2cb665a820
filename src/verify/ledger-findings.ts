import { LESSONS_PATH } from '../paths/governance-files.ts'
import { type Anchor, anchorFollower } from '../ledger/anchors.ts'
import { chainFollower, type ContinuityBreak, continuityFollower, type RecordFollower } from '../ledger/chain.ts'
import type { Finding, Problem } from '../findings/finding.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { Approval } from '../rules/approval.ts'
import { readLedgerInParts } from '../ledger-store/read-in-parts.ts'
import { ledgerStanding } from './ledger-standing.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { openBlobs } from '../io/git/blobs.ts'

/** The result of reading a whole ledger: number of records, findings, and the approvals that it records. */
export type LedgerReport = {
  readonly records: number
  readonly findings: readonly Finding[]
  readonly approvals: readonly Approval[]
}

/** Reads all of this worktree's ledger: damaged lines, gaps in the chain, heads in commits, and untraced changes. */
export async function ledgerFindings(workspace: Workspace, anchors: readonly Anchor[] = []): Promise<LedgerReport> {
  const { records, problems, broken, breaks, approvals } = await inspectLedger(workspace, anchors)
  const findings = [...problems.map(damageFinding), ...broken, ...(await untracedChanges(workspace, breaks))]
  return { records, findings, approvals }
}

/** Reads all of this worktree's ledger, and compares it with the heads that commits have. */
export async function inspectLedger(workspace: Workspace, anchors: readonly Anchor[] = []) {
  // The head is read before the ledger: records appended meanwhile must not look like a missing end.
  const standing = await ledgerStanding(workspace)
  const chains = [chainFollower(standing.head), anchorFollower(anchors)]
  const contents = continuityFollower()
  const [problems, broken, breaks]: [Problem[], Finding[], ContinuityBreak[]] = [[], [], []]
  const approvals: Approval[] = []
  let records = 0
  for await (const { entries, problems: found } of readLedgerInParts(workspace)) {
    records += entries.length
    for (const each of found) problems.push(each)
    for (const entry of entries) {
      for (const each of chains.flatMap(it => it.follow(entry))) broken.push(each)
      for (const each of contents(entry)) breaks.push(each)
      for (const each of approvalsInRecord(entry.record)) approvals.push(each)
    }
  }
  const end = standing.isGone ? [] : missingEnd(chains)
  return { records, problems, broken: [...standing.findings, ...broken, ...end], breaks, approvals }
}

// One is enough: both say that the ledger is shorter than it was.
function missingEnd(chains: readonly RecordFollower[]): Finding[] {
  return chains.map(it => it.end()).find(it => it.length > 0) ?? []
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
