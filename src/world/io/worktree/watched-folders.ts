import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { watchFolder } from '../watch/watch-folder.ts'

/** Watches some folders, which may be made and removed. */
export type WatchedFolders = Disposable & {
  /** Watches the folders that are new, and no longer those that are gone. */
  renew(): Promise<void>
}

/** The folders to watch, each with the names in it that count. */
export type WatchedNames = Readonly<Record<string, RegExp>>

type WatchedFolder = Disposable & { readonly inode: number }

/** Calls `changed` with the name of each file that may have changed; also with that of a folder that may be gone. */
export function watchFolders(names: WatchedNames, changed: (name: string) => void): WatchedFolders {
  const watched = new Map<string, WatchedFolder>()
  const stop = (folder: string): void => {
    watched.get(folder)?.[Symbol.dispose]()
    watched.delete(folder)
  }
  const renewFolder = async (folder: string, wanted: RegExp): Promise<void> => {
    const inode = (await lstat(folder).catch(() => null))?.ino ?? null
    if (watched.get(folder)?.inode === inode) return
    stop(folder)
    if (inode !== null) watched.set(folder, { inode, ...startWatch(folder, wanted, changed) })
  }
  return {
    async renew() {
      for (const [folder, wanted] of Object.entries(names)) await renewFolder(folder, wanted)
    },
    [Symbol.dispose]: () => [...watched.keys()].forEach(stop),
  }
}

function startWatch(folder: string, wanted: RegExp, changed: (name: string) => void): Disposable {
  // A folder that is removed reports its own name.
  const isWanted = (name: string) => wanted.test(name) || name === basename(folder)
  const noWatch = { [Symbol.dispose]: () => {} }
  try {
    return watchFolder(folder, {
      changed: name => void (isWanted(name) && changed(name)),
      failed: () => changed(basename(folder)),
    })
  } catch {
    return noWatch
  }
}
