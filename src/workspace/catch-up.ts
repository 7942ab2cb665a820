import { toKotefError } from '../report/failure.ts'
import { flushDaemon } from './daemon-address.ts'
import { judgeHistory } from './history.ts'
import type { Workspace } from './workspace.ts'

/** How complete a ledger is: a daemon had it all (`isWatched`), or what may be missing and why. */
export type Completeness = { readonly isWatched: boolean; readonly behind: string | null }

/** Has the daemon (when one runs) catch up, so that the ledger is complete. */
export async function catchUp(workspace: Workspace): Promise<Completeness> {
  const work = async (): Promise<boolean> => {
    if (await flushDaemon(workspace, FLUSH_MS)) return true
    await judgeHistory(workspace)
    return false
  }
  return work().then(
    isWatched => ({ isWatched, behind: null }),
    (thrown: unknown) => ({ isWatched: false, behind: toKotefError(thrown).message }),
  )
}

const FLUSH_MS = 5_000
