import { findConflicts } from '../../world/code/conflicts/find-conflicts.ts'
import { livePlaces } from '../../world/code/conflicts/live-places.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { conflictKey, type DeclarationConflict } from '../../core/code/map/conflicts.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'

/** Looks for conflicts after writes, and reports each once. */
export type ConflictJob = Disposable & { recorded(records: readonly TraceRecord[]): void }

/** Without a session of another intent in the clone, a write makes it read the files of the live sessions, no more. */
export function conflictJobOf(workspace: Workspace, found: (conflict: DeclarationConflict) => void): ConflictJob {
  const paths = new Set<string>()
  const reported = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const look = coalesce(async () => {
    const written = [...paths]
    paths.clear()
    const intents = new Set((await livePlaces(workspace)).map(it => it.intent))
    if (intents.size < 2) return
    for (const it of await findConflicts(workspace, { paths: written })) {
      const key = `${it.mine.session} ${conflictKey(it)}`
      if (!reported.has(key)) found(it)
      reported.add(key)
    }
  })
  return {
    recorded(records) {
      for (const it of records) if (it.metadata['dev.kotef'].event === 'write') addPaths(paths, it)
      if (paths.size === 0) return
      // A conflict that could not be looked for is found by the next look.
      timer ??= setTimeout(() => {
        timer = null
        void look().catch(() => {})
      }, LOOK_PAUSE_MS).unref()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
    },
  }
}

// Writes in quick succession are looked at together.
const LOOK_PAUSE_MS = 300

function addPaths(paths: Set<string>, { files }: TraceRecord): void {
  for (const it of files) paths.add(it.path)
}
