import { join } from 'node:path'
import type { TraceRecord } from '../ledger/record.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { guardOwnRefs } from '../provenance/guard-refs.ts'
import { watchFolder } from '../io/watch/watch-folder.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'

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
  const watched = new Map<string, Disposable>()
  let isClosed = false
  const run = coalesce(async () => {
    if (isClosed) return
    await watchRefFolders(workspace, watched, { changed: () => void look(), failed })
    const events = await guardOwnRefs(workspace)
    if (events.length > 0) recorded(await appendRecords(workspace, events))
  })
  const look = (): Promise<void> => run().catch(failed)
  const timer = setInterval(() => void look(), LOOK_PAUSE_MS).unref()
  void look()
  return {
    look,
    [Symbol.dispose]() {
      isClosed = true
      clearInterval(timer)
      for (const it of watched.values()) it[Symbol.dispose]()
    },
  }
}

// A watcher may miss a change, of a folder that git made and filled at once.
const LOOK_PAUSE_MS = 60_000

type Listener = Parameters<typeof watchFolder>[1]

/** Watches the folders of the refs that are there; git makes and removes them. */
async function watchRefFolders(
  { files, commonDir }: Workspace,
  watched: Map<string, Disposable>,
  { changed, failed }: Omit<Listener, 'changed'> & { readonly changed: () => void },
): Promise<void> {
  for (const name of REF_FOLDERS) {
    const folder = join(commonDir, name)
    const isThere = (await files.modifiedAt(folder).catch(() => null)) !== null
    if (isThere === watched.has(name)) continue
    watched.get(name)?.[Symbol.dispose]()
    watched.delete(name)
    const isTrigger = name === '' ? (it: string) => it === 'packed-refs' : () => true
    const listener = { changed: (it: string) => void (isTrigger(it) && changed()), failed }
    if (isThere) watched.set(name, watchFolder(folder, listener))
  }
}

const REF_FOLDERS = ['', 'refs', 'refs/notes', 'refs/kotef', 'refs/kotef/claims', 'reftable']
