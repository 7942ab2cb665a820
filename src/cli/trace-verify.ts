import { chainFollower } from '../ledger/chain.ts'
import { type Break, continuityFollower } from '../ledger/continuity.ts'
import type { Finding, Problem } from '../report/finding.ts'
import { catchUp, readings } from '../workspace/ledger.ts'
import { untracedChanges } from '../workspace/untraced.ts'
import { readHead } from '../workspace/record.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { findingLines } from '../report/lines.ts'
import type { Run } from './verb.ts'

/** `kotef trace verify`: is the ledger what was written, whole and without a gap. */
export const run: Run = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUp(workspace)
  const { records, damaged, broken, breaks } = await followed(workspace)
  const findings = [...damaged, ...broken, ...(await untracedChanges(workspace, breaks))]
  const blocking = findings.some(it => it.level === 'block')
  const counted = `${records} records`
  const text =
    findings.length === 0 ? `The ledger is whole: ${counted}.` : findingLines(`The ledger has ${counted}`, findings)
  return { text, json: { records, findings }, exit: blocking ? 1 : 0 }
}

async function followed(workspace: Workspace) {
  // Before the ledger is read: what is written meanwhile is no end that is missing.
  const chain = chainFollower(await readHead(workspace))
  const contents = continuityFollower()
  const [damaged, broken, breaks]: [Finding[], Finding[], Break[]] = [[], [], []]
  let records = 0
  for await (const { entries, problems } of readings(workspace)) {
    records += entries.length
    damaged.push(...problems.map(damage))
    for (const entry of entries) {
      broken.push(...chain.follow(entry))
      breaks.push(...contents(entry))
    }
  }
  return { records, damaged, broken: [...broken, ...chain.end()], breaks }
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
