import type { Finding } from '../../../core/base/finding.ts'
import { ledgerSize } from '../../../world/ledger/open-ledger.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { LEDGER_JUDGEMENT_MS_MAX } from '../../../core/base/page-times.ts'
import { openLedgerInspector } from '../../../world/verify/inspect-ledger.ts'
import { findingsOfLedger } from '../../../world/verify/ledger-findings.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type SlowSource, slowSource } from './slow-source.ts'

type LedgerChecks = {
  readonly findings: SlowSource<readonly Finding[]>
  /** The size of the ledger that was asked for last, and when. */
  asked: { readonly bytes: number; readonly at: number }
}

const checks = new WeakMap<Workspace, LedgerChecks>()

/** Asks for the findings in the ledger, which all ranges share, and waits for them as long as `wait`. */
export async function askLedgerFindings(
  workspace: Workspace,
  wait: Promise<unknown> | null,
): Promise<SlowFacts<readonly Finding[]>> {
  const own = checks.get(workspace) ?? openChecks(workspace)
  checks.set(workspace, own)
  return own.findings.ask(String(await checkedBytes(workspace, own)), wait)
}

// Each check reads the ledger, which grows with each write: often enough is once in a while.
async function checkedBytes(workspace: Workspace, own: LedgerChecks): Promise<number> {
  const now = workspace.clock.now()
  if (now - own.asked.at > LEDGER_JUDGEMENT_MS_MAX) own.asked = { bytes: await ledgerSize(workspace), at: now }
  return own.asked.bytes
}

function openChecks(workspace: Workspace): LedgerChecks {
  const inspector = openLedgerInspector(workspace)
  const find = async (_: string, progress: (share: number) => void) =>
    findingsOfLedger(workspace, await inspector.inspect(progress))
  return { findings: slowSource(find), asked: { bytes: 0, at: -Infinity } }
}
