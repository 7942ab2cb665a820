import { lstat, readdir } from 'node:fs/promises'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './files.ts'
import { isExhausted } from './watch/exhausted.ts'

type Listener = { readonly changed: (name: string) => void; readonly failed: (reason: Error) => void }

/** Tells the names of the entries of one folder (not of folders in it) as they change. */
export function watchFolder(folder: string, { changed, failed }: Listener): Disposable {
  try {
    const watcher = watch(folder, (_event, name) => changed(name ?? ''))
    watcher.on('error', failed)
    return { [Symbol.dispose]: () => watcher.close() }
  } catch (thrown) {
    if (!isExhausted(codeOf(thrown))) throw thrown
    return pollFolder(folder, changed)
  }
}

// The system has no more watches to give.
function pollFolder(folder: string, changed: (name: string) => void): Disposable {
  let before: ReadonlyMap<string, string> | null = null
  const look = async (): Promise<void> => {
    const now = await signsIn(folder)
    for (const name of new Set([...now.keys(), ...(before ?? now).keys()]))
      if (before && before.get(name) !== now.get(name)) changed(name)
    before = now
  }
  void look()
  const timer = setInterval(() => void look(), POLL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const POLL_MS = 200

async function signsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch(() => [])
  const stats = await Promise.all(names.map(it => lstat(join(folder, it)).catch(() => null)))
  return new Map(names.map((name, n) => [name, `${stats[n]?.mtimeMs} ${stats[n]?.size} ${stats[n]?.ino}`]))
}
