import { chainFollower } from '../ledger/chain.ts'
import { type ContinuityBreak, continuityFollower } from '../ledger/continuity.ts'
import type { Finding, Problem } from '../findings/finding.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { Approval } from '../rules/approval.ts'
import { readLedgerInParts } from '../ledger-store/read-in-parts.ts'
import { readChainHead } from '../ledger-store/append-records.ts'
import { untracedChanges } from './untraced-changes.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A whole ledger: how many records it has, what is wrong with it, and what people approved by what it tells. */
export type LedgerReport = {
  readonly records: number
  readonly findings: readonly Finding[]
  readonly approvals: readonly Approval[]
}

/** Reads all of this worktree's ledger, for lines that nobody can read, and for gaps. */
export async function ledgerFindings(workspace: Workspace): Promise<LedgerReport> {
  const { records, damaged, broken, breaks, approvals } = await readWholeLedger(workspace)
  return { records, findings: [...damaged, ...broken, ...(await untracedChanges(workspace, breaks))], approvals }
}

async function readWholeLedger(workspace: Workspace) {
  // Before the ledger is read: what is written meanwhile is no end that is missing.
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

function approvalsInRecord({ timestamp, metadata: { 'dev.kotef': told } }: TraceRecord): Approval[] {
  return told.event === 'approved' ? [{ head: told.parent, at: timestamp, changes: told.changes }] : []
}

function damageFinding({ file, line, expected, found }: Problem): Finding {
  return {
    rule: 'ledger-damaged',
    level: 'block',
    path: file,
    message: `Line ${line}: expected ${expected}, found ${found}`,
    hint: 'What can not be read is passed over; the other records are not affected.',
  }
}
