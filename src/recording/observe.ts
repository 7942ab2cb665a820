import type { Draft } from '../ledger/draft.ts'
import type { Source } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { draftsOf } from './drafts.ts'
import { knownAs, lookAt, type Looking, type Write } from './look.ts'
import { keepStaged, remember } from './memory.ts'
import type { Observer } from './observer.ts'
import { otherEnds } from './other-ends.ts'
import { record } from '../workspace/record.ts'
import { keepSnapshot } from './snapshots.ts'
import { violationsOf } from './violations.ts'
import { loadWitnesses } from './witnesses.ts'

/** Looks at paths and records what somebody wrote; answers the records made and the paths to look at again. */
export async function observe(
  observer: Observer,
  { source, ...looking }: Looking & { source: Source },
): Promise<{ records: readonly TraceRecord[]; torn: readonly string[] }> {
  const { workspace, memory } = observer
  const { writes, torn, unreadable } = await lookAt(workspace, memory, looking)
  const moved = await otherEnds(workspace, memory, { writes, activity: looking.activity })
  if (writes.length + unreadable.length === 0) return { records: [], torn }
  const head = await observer.head()
  const problems = await record(workspace, unreadable.map(problemOf), { head })
  const records = await recordWrites(observer, { writes: [...writes, ...moved].sort(byTime), source, head })
  return { records: [...problems, ...records], torn }
}

// Watchers tell of two folders in any order; the ledger tells of files in that in which they were written.
function byTime(one: Write, other: Write): number {
  return (one.standing?.modifiedAt ?? 0) - (other.standing?.modifiedAt ?? 0)
}

type Seen = { readonly writes: readonly Write[]; readonly source: Source; readonly head: string | null }

async function recordWrites(observer: Observer, { writes, source, head }: Seen): Promise<TraceRecord[]> {
  if (writes.length === 0) return []
  const { workspace, memory } = observer
  const witnesses = await loadWitnesses(workspace, await observer.policyAt(head))
  const traced = await draftsOf(observer, { writes, witnesses, source })
  for (const write of writes) await keepForNextDiff(observer, write)
  let n = 0
  const acknowledged = (): void => {
    for (const write of traced[n++]?.writes ?? []) {
      // What was staged on the way to it is told with it.
      memory.period.keep(write.path, write.after?.oid ?? null)
      const staged = memory.index.get(write.path)
      if (staged) memory.period.keep(write.path, staged.oid)
      remember(memory, write.path, knownAs(write))
      memory.period.look(write.path, write.looked)
      keepStaged(memory, write.path)
    }
  }
  const drafts = traced.map(it => it.draft)
  const records = await record(workspace, drafts, { acknowledged, head })
  const violations = records.flatMap(it => violationsOf(it, witnesses))
  return [...records, ...(await record(workspace, violations, { head }))]
}

function problemOf({ path, why }: { path: string; why: string }): Draft {
  return { event: { event: 'problem', path, message: `${path} can't be recorded: ${why}` } }
}

async function keepForNextDiff({ workspace, textBytesMax }: Observer, { standing }: Write): Promise<void> {
  if (!standing?.bytes || standing.bytes.length > textBytesMax) return
  await keepSnapshot(workspace, standing.oid, standing.bytes)
}
