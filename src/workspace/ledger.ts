import { type Reading, readLedger } from '../ledger/read.ts'
import { toKotefError } from '../report/failure.ts'
import { flushDaemon } from './daemon-address.ts'
import { judgeHistory } from './history.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** This worktree's ledger, after the daemon (when one runs) has caught up; `behind` says why it has not. */
export async function loadLedger(workspace: Workspace): Promise<Reading & { readonly behind: string | null }> {
  const behind = await catchUp(workspace)
  const bytes = await workspace.files.read(placesOf(workspace).ledger)
  return { ...readLedger(bytes?.toString('utf8') ?? ''), behind }
}

/** Has the daemon (when one runs) catch up, so that the ledger is complete; if it is not, why. */
export async function catchUp(workspace: Workspace): Promise<string | null> {
  const work = async () => void ((await flushDaemon(workspace, FLUSH_MS)) || (await judgeHistory(workspace)))
  return work().then(
    () => null,
    (thrown: unknown) => toKotefError(thrown).message,
  )
}

const FLUSH_MS = 5_000
