import type { TraceRecord } from '../../core/ledger/record.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { openLedger } from './open-ledger.ts'

/** The first record of this worktree's ledger; null without a ledger, and when its first line is damaged. */
export async function readFirstRecord(workspace: Workspace): Promise<TraceRecord | null> {
  await using ledger = await openLedger(workspace)
  const bytes = await ledger?.read(0, FIRST_LINE_BYTES_MAX)
  if (!bytes || bytes.length === 0) return null
  const { readLedger } = await import('../../core/ledger/read-ledger.ts')
  return readLedger(bytes.toString('utf8', 0, bytes.indexOf(LINE_FEED) + 1)).entries[0]?.record ?? null
}

const LINE_FEED = 0x0a
// The first record of a ledger is short: it only marks the beginning.
const FIRST_LINE_BYTES_MAX = 65_536
