import { join } from 'node:path'
import { standingAt } from '../io/worktree.ts'
import type { Draft } from '../ledger/draft.ts'
import { readLedger } from '../ledger/read.ts'
import { freshMemory, loadMemory, type Memory, remember } from '../recording/memory.ts'
import { isOwnWrite } from '../workspace/own-writes.ts'
import { record } from '../workspace/record.ts'
import { strayPaths } from '../recording/reconcile.ts'
import { liveSessions } from '../workspace/sessions.ts'
import { keepSnapshot } from '../recording/snapshots.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Where a daemon starts from: what it knows, and which paths changed while none was watching. */
export type Baseline = {
  readonly memory: Memory
  /** Paths that changed while nobody watched: to be recorded as catch-up. */
  readonly missed: readonly string[]
  /** How many changed files stood here before kotef ever looked; nobody can say who wrote them. */
  readonly preexisting: number
  /** When the last daemon wrote down what it knew (ISO 8601); null when there was none. */
  readonly since: string | null
}

/** Takes up where the last daemon left off or, the first time, with what stands in the tree. */
export async function takeBaseline(workspace: Workspace, textBytesMax: number): Promise<Baseline> {
  const last = await loadMemory(workspace)
  if (!last) return firstBaseline(workspace, textBytesMax)
  await replay(workspace, last.memory)
  const missed = await strayPaths(workspace, last.memory)
  return { memory: last.memory, missed, preexisting: 0, since: last.savedAt }
}

/** Says in the ledger that watching begins, and since when nobody watched. */
export async function announceStart(workspace: Workspace, { since, preexisting }: Baseline): Promise<void> {
  const { pid } = workspace.clock
  const gap: Draft[] = since === null ? [] : [{ event: { event: 'daemon-gap', since } }]
  await record(workspace, [...gap, { event: { event: 'daemon-started', pid, preexisting } }])
}

// What was written since a session began is that session's even if the daemon came later; older files are taken as they
// are.
async function firstBaseline(workspace: Workspace, textBytesMax: number): Promise<Baseline> {
  const memory = await freshMemory(workspace)
  const sessions = await liveSessions(workspace)
  const since = Math.min(...sessions.map(it => Date.parse(it.claimedAt)))
  const missed: string[] = []
  let preexisting = 0
  for (const path of await strayPaths(workspace, memory)) {
    const standing = await standingAt(join(workspace.root, path))
    if (standing === null || 'unseen' in standing || standing.modifiedAt >= since) {
      missed.push(path)
      continue
    }
    const { oid, mode, bytes, signature } = standing
    const traced = await isOwnWrite(workspace, path, oid)
    if (!traced) preexisting++
    if (bytes && bytes.length <= textBytesMax) await keepSnapshot(workspace, oid, bytes)
    remember(memory, path, { content: { oid, mode }, signature, traced, at: workspace.clock.now() })
  }
  return { memory, missed, preexisting, since: null }
}

/** Folds what the ledger says since the cursor was written: a killed daemon had recorded more than it noted. */
async function replay(workspace: Workspace, memory: Memory): Promise<void> {
  const { ledger } = placesOf(workspace)
  const size = (await workspace.files.readEnd(ledger, 0))?.size ?? 0
  const end = await workspace.files.readEnd(ledger, Math.max(0, size - memory.ledgerBytes))
  for (const { record } of readLedger(end?.bytes.toString('utf8') ?? '').entries) {
    for (const { path, kotef } of record.files) {
      const mode = kotef.mode?.after ?? '100644'
      if (kotef.from !== undefined)
        memory.known.set(kotef.from, { content: null, signature: null, traced: true, at: 0 })
      const content = kotef.after === null ? null : { oid: kotef.after, mode }
      memory.known.set(path, { content, signature: null, traced: true, at: 0 })
    }
  }
  memory.ledgerBytes = size
}
