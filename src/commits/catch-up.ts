import { toKotefError } from '../findings/failure.ts'
import { flushDaemon } from '../daemon-client/ask-daemon.ts'
import { judgeNewCommits } from './judge-new-commits.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** How complete a ledger is: a daemon had it all (`isWatched`), or what may be missing and why. */
export type LedgerCompleteness = { readonly isWatched: boolean; readonly behind: string | null }

/** Has the daemon (when one runs) catch up, so that the ledger is complete. */
export async function catchUpLedger(workspace: Workspace): Promise<LedgerCompleteness> {
  const work = async (): Promise<boolean> => {
    if (await flushDaemon(workspace, FLUSH_MS_MAX)) return true
    await judgeNewCommits(workspace)
    return false
  }
  return work().then(
    isWatched => ({ isWatched, behind: null }),
    (thrown: unknown) => ({ isWatched: false, behind: toKotefError(thrown).message }),
  )
}

const FLUSH_MS_MAX = 5_000
