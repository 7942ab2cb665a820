import { toKotefError } from '../findings/failure.ts'
import { flushDaemon } from '../daemon-client/ask-daemon.ts'
import { judgeNewCommits } from './judge-new-commits.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { CATCH_UP_FLUSH_WAIT_MS_MAX } from '../timing/thresholds.ts'

/** Whether a daemon recorded everything (`isWatched`), and the reason why records may be missing, or null. */
export type LedgerCompleteness = { readonly isWatched: boolean; readonly behind: string | null }

/** Brings the ledger up to date: waits for the daemon's records, or judges new commits when no daemon runs. */
export async function catchUpLedger(workspace: Workspace): Promise<LedgerCompleteness> {
  const work = async (): Promise<boolean> => {
    if (await flushDaemon(workspace, CATCH_UP_FLUSH_WAIT_MS_MAX)) return true
    await judgeNewCommits(workspace)
    return false
  }
  return work().then(
    isWatched => ({ isWatched, behind: null }),
    (thrown: unknown) => ({ isWatched: false, behind: toKotefError(thrown).message }),
  )
}
