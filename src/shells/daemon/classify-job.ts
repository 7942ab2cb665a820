import type { TraceRecord } from '../../core/ledger/record.ts'
import { languageOf } from '../../core/code/symbols/languages.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { runFinalise } from './commit-jobs.ts'
import { coalesce } from './reconcile-timer.ts'

/** Has uncommitted changes classified when nothing is written for a while. */
type ClassifyJob = Disposable & { recorded(records: readonly TraceRecord[]): void }

/** A child process does the work, and appends to the ledger itself: recording waits for neither. */
export function classifyJobOf(workspace: Workspace): ClassifyJob {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const classify = coalesce(async () => {
    if (!stop.signal.aborted) await runFinalise(workspace, '--working', stop.signal)
  })
  return {
    recorded(records) {
      if (timer === null && !records.some(isOfKnownLanguage)) return
      if (timer) clearTimeout(timer)
      // What fails here is done after the next write: nobody waits for it.
      timer = setTimeout(() => {
        timer = null
        classify().catch(() => {})
      }, QUIET_MS).unref()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

function isOfKnownLanguage({ files }: TraceRecord): boolean {
  return files.some(it => languageOf(it.path) !== null)
}

// An agent that edits several files pauses less between them.
const QUIET_MS = 3_000
