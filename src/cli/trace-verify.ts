import { verifyChain } from '../ledger/chain.ts'
import type { Finding, Problem } from '../report/finding.ts'
import { loadLedger } from '../workspace/ledger.ts'
import { untracedChanges } from '../workspace/untraced.ts'
import { readHead } from '../workspace/record.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { findingLines } from '../report/lines.ts'
import type { Run } from './verb.ts'

/** `kotef trace verify`: is the ledger what was written, whole and without a gap. */
export const run: Run = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const { entries, problems } = await loadLedger(workspace)
  const chain = verifyChain(entries, await readHead(workspace))
  const findings = [...problems.map(damage), ...chain, ...(await untracedChanges(workspace, entries))]
  const blocking = findings.some(it => it.level === 'block')
  const counted = `${entries.length} records`
  const text =
    findings.length === 0 ? `The ledger is whole: ${counted}.` : findingLines(`The ledger has ${counted}`, findings)
  return { text, json: { records: entries.length, findings }, exit: blocking ? 1 : 0 }
}

function damage({ file, line, expected, found }: Problem): Finding {
  return {
    rule: 'ledger-damaged',
    level: 'block',
    path: file,
    message: `Line ${line}: expected ${expected}, found ${found}`,
    hint: 'What can not be read is passed over; the other records are not affected.',
  }
}
