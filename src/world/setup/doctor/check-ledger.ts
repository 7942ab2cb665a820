import { KotefError } from '../../../core/base/failure.ts'
import { problemLine } from '../../../core/report/finding-lines.ts'
import { readFirstRecord } from '../../ledger/first-record.ts'
import { extentText } from '../../../core/ledger/ledger-extent.ts'
import { locateLedger } from '../../ledger/locate-ledger.ts'
import { ledgerExtent, ledgerFile, openLedger } from '../../ledger/open-ledger.ts'
import { closedLedgerLine } from '../../../core/report/closed-ledger.ts'
import { readAnchors } from '../../verify/read-anchors.ts'
import { inspectLedger } from '../../verify/inspect-ledger.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorNote, DoctorProblem } from './doctor-problem.ts'

/** Are lines of the ledger damaged, or is a part of it missing? */
export async function checkLedger(workspace: Workspace): Promise<DoctorProblem[]> {
  const { problems, broken } = await inspectLedger(workspace, await readAnchors(workspace)).catch((cause: unknown) => {
    throw new KotefError('ledger-unwritable', `The ledger can't be read: ${String(cause)}`, { cause })
  })
  const damaged = problems.map(it => ({ message: problemLine(it), hint: 'See what was lost: `kotef trace verify`' }))
  return [...damaged, ...(damaged.length > 0 ? await damagedParts(workspace) : []), ...firstOf(broken)]
}

async function damagedParts(workspace: Workspace): Promise<DoctorProblem[]> {
  await using ledger = await openLedger(workspace)
  const paths = (await ledger?.unreadableParts()) ?? []
  const hint = "Restore the file from a backup, or begin a new ledger: `kotef trace close --reason 'why'`"
  return paths.map(it => ({ message: `a part of the ledger is missing or damaged: ${it}`, hint }))
}

function firstOf(broken: readonly DoctorProblem[]): DoctorProblem[] {
  const shown = broken.slice(0, BROKEN_MAX).map(({ message, hint }) => ({ message, hint }))
  const more = broken.length - shown.length
  if (more === 0) return shown
  return [...shown, { message: `… and ${more} more`, hint: 'See all of them: `kotef trace verify`' }]
}

const BROKEN_MAX = 5

/** What should a person know about where the ledger is? */
export async function ledgerNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const { ledger, keptLedger, own } = layoutOf(workspace)
  const { state } = await locateLedger(workspace)
  const closed = closedLedgerLine(await readFirstRecord(workspace), { folder: own, now: workspace.clock.now() })
  const extent = await ledgerExtent(workspace)
  const notes = [
    ...(state === 'worktree-only'
      ? [`the disk can't make a hard link to the ledger in ${own}, so \`git clean -x\` deletes the ledger`]
      : []),
    ...(state === 'kept-only' ? [`the disk can't make the hard link ${ledger}; the ledger is ${keptLedger}`] : []),
    ...(closed === null ? [] : [closed]),
    ...(extent && extent.compressed > 0
      ? [`the ledger is large${extentText(extent)}: its beginning is in ${ledgerFile(workspace, keptLedger).parts}`]
      : []),
  ]
  return notes.map(message => ({ message, hint: null }))
}
