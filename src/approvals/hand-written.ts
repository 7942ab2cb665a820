import type { PathChange } from '../git/changes.ts'
import { LEDGER_END_BYTES, writtenByHand } from '../ledger/written-intents.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The paths of some changes that a person wrote, according to the ledger: a commit of these needs no approval. */
export async function handWrittenPaths(
  workspace: Pick<Workspace, 'files' | 'root' | 'gitDir' | 'commonDir'>,
  changes: readonly PathChange[],
): Promise<string[]> {
  const end = await workspace.files.readEnd(layoutOf(workspace).ledger, LEDGER_END_BYTES)
  return writtenByHand(end?.bytes.toString('utf8') ?? '', changes)
}
