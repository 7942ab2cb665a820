import type { LedgerEvent } from '../../core/ledger/event.ts'
import type { RecordDraft, TraceRecord } from '../../core/ledger/record.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { ledgerSize } from '../ledger/open-ledger.ts'
import { readLedgerInParts } from '../ledger/read-in-parts.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * Appends the records of a judgement, then calls `finish`, which says that the commits are judged. A judgement may be
 * interrupted between the two, and is made again: what it had appended is not recorded a second time.
 */
export async function appendJudgement(
  workspace: Workspace,
  drafts: readonly RecordDraft[],
  { head, finish }: { readonly head: string; readonly finish: () => Promise<void> },
): Promise<TraceRecord[]> {
  const { files } = workspace
  const marker = ownPath(workspace, 'judging')
  const begun = await files.read(marker)
  if (!begun && drafts.length > SHORT) await files.put(marker, String(await ledgerSize(workspace)))
  const appended = begun ? await appendedSince(workspace, Number(begun.toString('latin1'))) : new Set<string | null>()
  const missing = drafts.filter(it => !appended.has(nameOf(it.event)))
  const records = await appendRecords(workspace, missing, { head })
  await finish()
  if (begun || drafts.length > SHORT) await files.remove(marker)
  return records
}

// So few are appended in one write.
const SHORT = 20

async function appendedSince(workspace: Workspace, byte: number): Promise<Set<string>> {
  const appended = new Set<string>()
  for await (const { entries } of readLedgerInParts(workspace, byte))
    for (const { record } of entries) {
      const name = nameOf(record.metadata['dev.kotef'])
      if (name !== null) appended.add(name)
    }
  return appended
}

/** What an event says of a commit; null for an event that is of no commit. */
function nameOf(event: LedgerEvent): string | null {
  if (event.event === 'skipped') return `skipped ${event.commit}`
  if (event.event !== 'violation' || event.commit === undefined) return null
  return JSON.stringify([event.commit, event.rule, event.path, event.message])
}
