import { type Reading, readLedger } from '../ledger/read.ts'
import { flushDaemon } from './daemon-address.ts'
import { judgeHistory } from './history.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** This worktree's ledger, after the daemon (when one runs) has caught up with what is on disk. */
export async function loadLedger(workspace: Workspace): Promise<Reading> {
  if (!(await flushDaemon(workspace, FLUSH_MS))) await judgeHistory(workspace)
  const bytes = await workspace.files.read(placesOf(workspace).ledger)
  return readLedger(bytes?.toString('utf8') ?? '')
}

const FLUSH_MS = 10_000
