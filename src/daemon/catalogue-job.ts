import { uncataloguedBytes } from '../ledger-store/catalogue-folder.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { runFinalise } from './commit-jobs.ts'
import { coalesce } from './reconcile-timer.ts'

/** Extends the catalogue while the ledger grows, so that a person who asks does not wait for it. */
type CatalogueJob = Disposable & { recorded(): void }

/** Looks at once, too: other processes may have appended. A child process does the work, as it may take seconds. */
export function catalogueJobOf(workspace: Workspace): CatalogueJob {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const extend = coalesce(async () => {
    timer = null
    if ((await uncataloguedBytes(workspace)) < UNCATALOGUED_BYTES_MAX || stop.signal.aborted) return
    await runFinalise(workspace, '--catalogue', stop.signal)
  })
  // What fails here is done by the next question, which says why it can't.
  const recorded = (): void => void (timer ??= setTimeout(() => void extend().catch(() => {}), PAUSE_MS).unref())
  recorded()
  return {
    recorded,
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

// A question indexes so much within some milliseconds.
const UNCATALOGUED_BYTES_MAX = 2 ** 20
const PAUSE_MS = 2_000
