import { findingLines } from '../report/lines.ts'
import { catchUp } from '../workspace/catch-up.ts'
import { ledgerFindings } from '../verify/ledger-findings.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef trace verify`: is the ledger what was written, whole and without a gap. */
export const run: Run = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUp(workspace)
  const { records, findings } = await ledgerFindings(workspace)
  const blocking = findings.some(it => it.level === 'block')
  const counted = `${records} records`
  const text =
    findings.length === 0 ? `The ledger is whole: ${counted}.` : findingLines(`The ledger has ${counted}`, findings)
  return { text, json: { records, findings }, exit: blocking ? 1 : 0 }
}
