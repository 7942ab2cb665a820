import { lstat, readdir } from 'node:fs/promises'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { systemErrorCode } from '../files/files.ts'
import { isWatchLimit } from './port.ts'
import { GIT_DIR_POLL_MS } from '../../../core/base/thresholds.ts'

type FolderListener = { readonly changed: (name: string) => void; readonly failed: (reason: Error) => void }

/** Reports the names of the entries of one folder, without those of its subfolders, as they change. */
export function watchFolder(folder: string, { changed, failed }: FolderListener): Disposable {
  try {
    const watcher = watch(folder, (_event, name) => changed(name ?? ''))
    watcher.on('error', failed)
    return { [Symbol.dispose]: () => watcher.close() }
  } catch (thrown) {
    if (!isWatchLimit(systemErrorCode(thrown))) throw thrown
    return pollFolder(folder, changed)
  }
}

// Used when the system has no free watch.
function pollFolder(folder: string, changed: (name: string) => void): Disposable {
  let before: ReadonlyMap<string, string> | null = null
  const poll = async (): Promise<void> => {
    const now = await entryStamps(folder)
    for (const name of new Set([...now.keys(), ...(before ?? now).keys()]))
      if (before && before.get(name) !== now.get(name)) changed(name)
    before = now
  }
  void poll()
  const timer = setInterval(() => void poll(), GIT_DIR_POLL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function entryStamps(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch(() => [])
  const stats = await Promise.all(names.map(it => lstat(join(folder, it)).catch(() => null)))
  return new Map(names.map((name, n) => [name, `${stats[n]?.mtimeMs} ${stats[n]?.size} ${stats[n]?.ino}`]))
}
