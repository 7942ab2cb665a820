import type { Draft } from '../ledger/draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { Workspace } from './workspace.ts'

/** Appends to this worktree's ledger, in order, under its lock. What it returns survives kill -9. */
export async function record(workspace: Workspace, drafts: readonly Draft[]): Promise<TraceRecord[]> {
  throw new Error(`to come: ${workspace.root} ${drafts.length}`)
}
