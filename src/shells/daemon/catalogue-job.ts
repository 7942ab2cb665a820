import { uncataloguedBytes } from '../../world/ledger/catalogue-folder.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { runFinalise } from './commit-jobs.ts'
import { coalesce } from './reconcile-timer.ts'

/** Extends the catalogue while the ledger grows, so that a person who asks does not wait for it. */
type CatalogueJob = Disposable & { recorded(): void }

/**
 * Looks at once, too: other processes may have appended. A child process does the work, as it may take seconds; during
 * a burst it would take a core from the recording, so it waits for a pause, but not for ever.
 */
export function catalogueJobOf(workspace: Workspace): CatalogueJob {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let firstAt: number | null = null
  const extend = coalesce(async () => {
    firstAt = null
    if ((await uncataloguedBytes(workspace)) < UNCATALOGUED_BYTES_MAX || stop.signal.aborted) return
    await runFinalise(workspace, '--catalogue', stop.signal)
  })
  // What fails here is done by the next question, which says why it can't.
  const recorded = (): void => {
    const now = performance.now()
    firstAt ??= now
    if (timer) clearTimeout(timer)
    const ms = Math.min(PAUSE_MS, Math.max(0, firstAt + WAIT_MS_MAX - now))
    timer = setTimeout(() => void extend().catch(() => {}), ms).unref()
  }
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
const WAIT_MS_MAX = 30_000
