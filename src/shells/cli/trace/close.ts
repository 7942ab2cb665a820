import { KotefError } from '../../../core/base/failure.ts'
import { closedLedgerLine } from '../../../core/report/closed-ledger.ts'
import { plural, shellQuoted } from '../../../core/base/printable.ts'
import { closeLedger, ledgerDamage } from '../../../world/verify/close-ledger.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { updateNotes } from '../../../world/provenance/annotate-commits.ts'
import { askConfirmation } from '../prompts.ts'
import { requirePerson, requireTerminal } from '../person.ts'
import { lineOption, type RunVerb } from '../verb.ts'

/** `kotef trace close`: sets a damaged ledger aside, and begins a new one that names it. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  await requirePerson(call, workspace, { what: 'close a ledger' })
  const reason = lineOption(call, 'reason')?.trim() ?? ''
  if (reason === '') throw new KotefError('usage', 'Closing a ledger needs a reason.', { hint: GIVE_A_REASON })
  // The records of the closed ledger no longer show who wrote what is committed: the notes do.
  await updateNotes(workspace, call)
  const { records, findings } = await ledgerDamage(workspace)
  requireTerminal(
    call,
    'Closing a ledger',
    `Run it at a terminal yourself: \`kotef trace close --reason ${shellQuoted(reason)}\``,
  )
  call.print(`The ledger has ${plural(records, 'record')}, and is damaged: ${findings.join(', ')}.`)
  call.print('Lines that are not committed yet lose their authors, and approvals of changes that are not pushed end.')
  if (!(await askConfirmation('Set it aside, and begin a new one?', { deliberate: true })))
    return { text: 'The ledger was not closed.', json: null, exit: 1 }
  const closing = await closeLedger(workspace, reason)
  const line = closedLedgerLine(closing, { folder: layoutOf(workspace).own, now: workspace.clock.now() })
  return { text: ['A new ledger was begun.', ...(line === null ? [] : [`  ${line}`])].join('\n'), json: closing }
}

const GIVE_A_REASON = "Give one: `kotef trace close --reason 'why'`"
