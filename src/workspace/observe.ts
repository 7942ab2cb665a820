import type { Blobs } from '../io/blobs.ts'
import type { Hasher } from '../io/hash.ts'
import type { Source } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { draftsOf } from './drafts.ts'
import type { GitActivity } from './git-activity.ts'
import { knownAs, lookAt, type Write } from './look.ts'
import { type Memory, remember } from './memory.ts'
import { record } from './record.ts'
import { keepSnapshot } from './snapshots.ts'
import { violationsOf } from './violations.ts'
import { loadWitnesses } from './witnesses.ts'
import type { Workspace } from './workspace.ts'

/** An observer's means: what it knows, how it hashes, where it finds git's blobs, and its limits. */
export type Observer = {
  readonly workspace: Workspace
  readonly memory: Memory
  readonly hasher: Hasher
  readonly blobs: Blobs
  /** Texts larger than this are recorded by their oid alone. */
  readonly textBytesMax: number
}

/** Looks at paths and records what somebody wrote; answers the records made and the paths to look at again. */
export async function observe(
  observer: Observer,
  { paths, activity, source }: { paths: readonly string[]; activity: GitActivity; source: Source },
): Promise<{ records: TraceRecord[]; torn: string[] }> {
  const { workspace, memory } = observer
  const { writes, torn } = await lookAt(workspace, memory, { paths, activity })
  if (writes.length === 0) return { records: [], torn }
  const witnesses = await loadWitnesses(workspace)
  const traced = await draftsOf(observer, { writes, witnesses, source })
  for (const write of writes) await keepForNextDiff(observer, write)
  let n = 0
  const records = await record(
    workspace,
    traced.map(it => it.draft),
    () => (traced[n++]?.writes ?? []).forEach(write => remember(memory, write.path, knownAs(write))),
  )
  const violations = await record(
    workspace,
    records.flatMap(it => violationsOf(it, witnesses)),
  )
  return { records: [...records, ...violations], torn }
}

async function keepForNextDiff({ workspace, textBytesMax }: Observer, { after, standing }: Write): Promise<void> {
  if (after && standing && standing.bytes.length <= textBytesMax)
    await keepSnapshot(workspace, after.oid, standing.bytes)
}
