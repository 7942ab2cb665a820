import { basename, join } from 'node:path'
import { systemErrorCode } from '../../world/io/files/files.ts'
import { watchFolder } from '../../world/io/watch/watch-folder.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** The watches of the folders that have kotef's refs; git makes these folders and removes them. */
type RefFolders = Disposable & {
  /** Watches those that are there now. */
  follow(): Promise<void>
}

type RefFolderListener = { readonly changed: () => void; readonly failed: (reason: Error) => void }

/** A watch sees the folder that it was made for, and none that takes its name later. */
type FolderWatch = Disposable & { readonly identity: string }

/** Opens no watch before `follow` is called. */
export function openRefFolders(
  { files, commonDir }: Pick<Workspace, 'files' | 'commonDir'>,
  { changed, failed }: RefFolderListener,
): RefFolders {
  const watched = new Map<string, FolderWatch>()
  const forget = (name: string): void => {
    watched.get(name)?.[Symbol.dispose]()
    watched.delete(name)
  }
  const entryChanged = (name: string, entry: string): void => {
    // The system reports so that the folder itself is gone. A new one may get the same identity.
    if (name !== '' && entry === basename(name)) forget(name)
    if (name !== '' || entry === 'packed-refs') changed()
  }
  return {
    async follow() {
      for (const name of REF_FOLDERS) {
        const folder = join(commonDir, name)
        const identity = (await files.stat(folder).catch(() => null))?.identity ?? null
        if (identity === (watched.get(name)?.identity ?? null)) continue
        forget(name)
        const watch = identity && watchIfThere(folder, { changed: it => entryChanged(name, it), failed })
        if (watch) watched.set(name, { identity, [Symbol.dispose]: () => watch[Symbol.dispose]() })
      }
    },
    [Symbol.dispose]() {
      for (const name of [...watched.keys()]) forget(name)
    },
  }
}

function watchIfThere(...words: Parameters<typeof watchFolder>): Disposable | null {
  try {
    return watchFolder(...words)
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return null
    throw thrown
  }
}

const REF_FOLDERS = ['', 'refs', 'refs/notes', 'refs/kotef', 'refs/kotef/claims', 'reftable']
