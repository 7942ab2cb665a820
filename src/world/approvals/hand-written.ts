import type { PathChange } from '../../core/git/changes.ts'
import { LEDGER_END_BYTES, writtenByHand } from '../../core/ledger/written-intents.ts'
import { locateLedger } from '../ledger/locate-ledger.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** True when a person wrote all of some changes, according to the ledger. */
export async function areHandWritten(workspace: Workspace, changes: readonly PathChange[]): Promise<boolean> {
  const { path } = await locateLedger(workspace)
  const end = await workspace.files.readEnd(path, LEDGER_END_BYTES)
  return writtenByHand(end?.bytes.toString('utf8') ?? '', changes).length === changes.length
}
