import { join } from 'node:path'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { appendRecords } from '../../world/ledger/append-records.ts'
import { areKnownRefsSaved, guardOwnRefs, type KnownRefs } from '../../world/provenance/guard-refs.ts'
import { NOTES_REF } from '../../world/ledger/notes.ts'
import { CLAIM_REFS } from '../../world/intents/sessions/claim-refs.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'
import { openRefFolders } from './ref-folders.ts'

/** Looks after kotef's own refs: what another program changes in them is recorded, and put back. */
type RefWatcher = Disposable & {
  /** Resolves when every change that happened before is found. */
  look(): Promise<void>
}

type RefWatcherContext = {
  readonly recorded: (records: readonly TraceRecord[]) => void
  readonly failed: (reason: unknown) => void
}

/** Starts with what was changed while no daemon was running. */
export function openRefWatcher(workspace: Workspace, { recorded, failed }: RefWatcherContext): RefWatcher {
  const folders = openRefFolders(workspace, { changed: () => void look(), failed })
  let isClosed = false
  let known: KnownRefs | null = null
  let seen: string | null = null
  const run = coalesce(async () => {
    if (isClosed) return
    await folders.follow()
    // Each flush looks, and starting git takes longer than reading these files.
    const found = await refFiles(workspace)
    if (found !== null && found === seen && (await areKnownRefsSaved(workspace))) return
    const next = await guardOwnRefs(workspace, known)
    if (next === null) return
    known = next.known
    // What could not be repaired is tried again at each look.
    seen = Object.keys(known.reported).length === 0 ? found : null
    if (next.violations.length > 0) recorded(await appendRecords(workspace, next.violations))
  })
  const look = (): Promise<void> => run().catch(failed)
  const lookAtAll = (): void => {
    seen = null
    void look()
  }
  const timer = setInterval(lookAtAll, LOOK_PAUSE_MS).unref()
  void look()
  return {
    look,
    [Symbol.dispose]() {
      isClosed = true
      clearInterval(timer)
      folders[Symbol.dispose]()
    },
  }
}

// A watcher may miss a change, of a folder that git made and filled at once.
const LOOK_PAUSE_MS = 60_000

/** What the files of kotef's refs say, null where refs are no files. The same text means that none has changed. */
async function refFiles({ files, commonDir }: Workspace): Promise<string | null> {
  const at = (name: string): Promise<number | null> => files.modifiedAt(join(commonDir, name))
  if ((await at('reftable')) !== null) return null
  const claims = await files.list(join(commonDir, CLAIM_REFS))
  const names = [...claims.sort().map(it => `${CLAIM_REFS}/${it}`), NOTES_REF]
  const texts = names.map(async it => `${it} ${String(await files.read(join(commonDir, it)).catch(() => 'odd'))}`)
  return [await at('packed-refs'), ...(await Promise.all(texts))].join('\n')
}
