import type { RecordDraft } from '../ledger/record-draft.ts'
import type { WriteSource } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { writeDrafts } from './write-records.ts'
import { stateAfter, inspectPaths, type InspectRequest, type Write } from './inspect.ts'
import { setStaged, setPath } from './worktree-state.ts'
import type { RecorderContext } from './recorder-context.ts'
import { findMoveCounterparts } from './pair-moves.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { keepSnapshot } from './snapshots.ts'
import { scopeViolations } from './violations.ts'
import { loadAuthors } from './authors.ts'

/** Inspects paths and records their writes. `torn` are the paths that changed meanwhile, to be inspected again. */
export async function observe(
  context: RecorderContext,
  { source, ...request }: InspectRequest & { source: WriteSource },
): Promise<{ records: readonly TraceRecord[]; torn: readonly string[] }> {
  const { workspace, state } = context
  const { writes, torn, unreadable } = await inspectPaths(workspace, state, request)
  const moved = await findMoveCounterparts(workspace, state, { writes, evidence: request.evidence })
  if (writes.length + unreadable.length === 0) return { records: [], torn }
  const head = await context.head()
  const problems = await appendRecords(workspace, unreadable.map(unreadableProblem), { head })
  const records = await recordWrites(context, { writes: [...writes, ...moved].sort(byModifiedTime), source, head })
  return { records: [...problems, ...records], torn }
}

// Watchers report two folders in any order. The ledger has files in the order in which they were written.
function byModifiedTime(one: Write, other: Write): number {
  return (one.file?.modifiedAt ?? 0) - (other.file?.modifiedAt ?? 0)
}

type WriteBatch = { readonly writes: readonly Write[]; readonly source: WriteSource; readonly head: string | null }

async function recordWrites(context: RecorderContext, { writes, source, head }: WriteBatch): Promise<TraceRecord[]> {
  if (writes.length === 0) return []
  const { workspace, state } = context
  const authors = await loadAuthors(workspace, await context.policyAt(head))
  const traced = await writeDrafts(context, { writes, authors, source })
  for (const write of writes) await keepForNextDiff(context, write)
  let n = 0
  const acknowledged = (): void => {
    for (const write of traced[n++]?.writes ?? []) {
      // The record covers the staged content as well, which is an earlier state of the same write.
      state.epoch.markSeen(write.path, write.after?.oid ?? null)
      const staged = state.index.get(write.path)
      if (staged) state.epoch.markSeen(write.path, staged.oid)
      setPath(state, write.path, stateAfter(write))
      state.epoch.markInspected(write.path, write.observedAt)
      setStaged(state, write.path)
    }
  }
  const drafts = traced.map(it => it.draft)
  const records = await appendRecords(workspace, drafts, { acknowledged, head })
  const violations = records.flatMap(it => scopeViolations(it, authors))
  return [...records, ...(await appendRecords(workspace, violations, { head }))]
}

function unreadableProblem({ path, why }: { path: string; why: string }): RecordDraft {
  return { event: { event: 'problem', path, message: `${path} can't be recorded: ${why}` } }
}

async function keepForNextDiff({ workspace, textBytesMax }: RecorderContext, { file }: Write): Promise<void> {
  if (!file?.bytes || file.bytes.length > textBytesMax) return
  await keepSnapshot(workspace, file.oid, file.bytes)
}
