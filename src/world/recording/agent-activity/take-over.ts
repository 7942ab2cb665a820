import { join } from 'node:path'
import type { PathChange } from '../../../core/git/changes.ts'
import type { PersonProof } from '../../../core/ledger/event.ts'
import { writesToTakeOver } from '../../../core/ledger/written-intents.ts'
import { readFileState } from '../../io/files/file-state.ts'
import { gather } from '../../io/git/gather.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { readLedgerEnd } from '../../ledger/ledger-end.ts'

/** What a person has taken over of a path: its writes, and how many stay an agent's. */
export type TakenOver = { readonly path: string; readonly writes: number; readonly agents: number }

/** Records that a person wrote what is not committed of some paths, as far as no agent surely did. */
export async function takeOver(
  workspace: Workspace,
  changes: readonly PathChange[],
  person: PersonProof,
): Promise<TakenOver[]> {
  const text = await gather(workspace, readLedgerEnd(workspace))
  const found = await Promise.all(
    changes.map(async it => ({ path: it.path, ...writesToTakeOver(text, await asOnDisk(workspace, it)) })),
  )
  const drafts = found
    .filter(it => it.records.length > 0)
    .map(({ path, records }) => ({ event: { event: 'taken-over', path, records, person } as const }))
  if (drafts.length > 0) await appendRecords(workspace, drafts)
  return found.map(({ path, records, agents }) => ({ path, writes: records.length, agents }))
}

// Records have the content on disk, which git may store in another form.
async function asOnDisk({ root }: Workspace, change: PathChange): Promise<PathChange> {
  const file = await readFileState(join(root, change.path))
  const oid = file && 'oid' in file ? file.oid : null
  return { ...change, after: oid === null ? null : { mode: change.after?.mode ?? '100644', oid } }
}
