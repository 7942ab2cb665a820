import { catchUpLedger } from '../../../world/commits/judge-new-commits.ts'
import { readFirstRecord } from '../../../world/ledger/first-record.ts'
import { closedLedgerLine } from '../../../core/report/closed-ledger.ts'
import { findingLines } from '../../../core/report/finding-lines.ts'
import { plural } from '../../../core/base/printable.ts'
import { ledgerFindings } from '../../../world/verify/ledger-findings.ts'
import { readAnchors } from '../../../world/verify/read-anchors.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef trace verify`: checks that no record of the ledger was changed, removed or inserted. */
export const run: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUpLedger(workspace)
  const { records, findings } = await ledgerFindings(workspace, await readAnchors(workspace))
  const blocking = findings.some(it => it.level === 'block')
  const recordCount = plural(records, 'record')
  const text =
    findings.length === 0 ? `Ledger OK: ${recordCount}.` : findingLines(`The ledger has ${recordCount}`, findings)
  const follows = { folder: layoutOf(workspace).own, now: workspace.clock.now() }
  const closed = closedLedgerLine(await readFirstRecord(workspace), follows)
  const json = { records, findings, ...(closed === null ? {} : { closed }) }
  return { text: closed === null ? text : `${text}\n${closed}`, json, exit: blocking ? 1 : 0 }
}
