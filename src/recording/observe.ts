import type { Source } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { draftsOf } from './drafts.ts'
import type { GitActivity } from './git-activity.ts'
import { knownAs, lookAt, type Write } from './look.ts'
import { remember } from './memory.ts'
import type { Observer } from './observer.ts'
import { otherEnds } from './other-ends.ts'
import { headOid, record } from '../workspace/record.ts'
import { keepSnapshot } from './snapshots.ts'
import { violationsOf } from './violations.ts'
import { loadWitnesses } from './witnesses.ts'

/** Looks at paths and records what somebody wrote; answers the records made and the paths to look at again. */
export async function observe(
  observer: Observer,
  { paths, activity, source }: { paths: readonly string[]; activity: GitActivity; source: Source },
): Promise<{ records: TraceRecord[]; torn: string[] }> {
  const { workspace, memory } = observer
  const asked = workspace.git.tryAsk(headOid)
  const { writes: seen, torn } = await lookAt(workspace, memory, { paths, activity })
  const writes = [...seen, ...(await otherEnds(workspace, memory, { writes: seen, activity }))]
  const head = await asked
  if (writes.length === 0) return { records: [], torn }
  const witnesses = await loadWitnesses(workspace, await observer.policyAt(head))
  const traced = await draftsOf(observer, { writes, witnesses, source })
  for (const write of writes) await keepForNextDiff(observer, write)
  let n = 0
  const acknowledged = (): void => {
    for (const write of traced[n++]?.writes ?? []) remember(memory, write.path, knownAs(write))
  }
  const drafts = traced.map(it => it.draft)
  const records = await record(workspace, drafts, { acknowledged, head })
  const violations = records.flatMap(it => violationsOf(it, witnesses))
  return { records: [...records, ...(await record(workspace, violations, { head }))], torn }
}

async function keepForNextDiff({ workspace, textBytesMax }: Observer, { after, standing }: Write): Promise<void> {
  if (after && standing && standing.bytes.length <= textBytesMax)
    await keepSnapshot(workspace, after.oid, standing.bytes)
}
