import { findingLines } from '../../report/finding-lines.ts'
import { catchUpLedger } from '../../commits/catch-up.ts'
import { ledgerFindings } from '../../verify/ledger-findings.ts'
import { plural } from '../../text/plural.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef trace verify`: checks that no record of the ledger was changed, removed or inserted. */
export const run: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUpLedger(workspace)
  const { records, findings } = await ledgerFindings(workspace)
  const blocking = findings.some(it => it.level === 'block')
  const recordCount = plural(records, 'record')
  const text =
    findings.length === 0 ? `Ledger OK: ${recordCount}.` : findingLines(`The ledger has ${recordCount}`, findings)
  return { text, json: { records, findings }, exit: blocking ? 1 : 0 }
}
