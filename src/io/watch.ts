import { watch as watchWithNode } from 'node:fs'
import { relative, sep } from 'node:path'
import { watch as watchWithChokidar } from 'chokidar'

/** Tells of every path below a directory that may have changed; relative, with `/`. */
export type Watch = AsyncDisposable

export type Watcher = {
  /** True for what must not be watched at all. Directories that are ignored are never entered. */
  readonly ignored: (path: string) => boolean
  readonly changed: (path: string) => void
  readonly failed: (reason: Error) => void
}

/** Watches a directory through chokidar; resolves when everything that stands there now is being watched. */
export async function watchTree(root: string, { ignored, changed, failed }: Watcher): Promise<Watch> {
  const pathOf = (absolute: string): string => relative(root, absolute).split(sep).join('/')
  const watcher = watchWithChokidar(root, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignored: (absolute: string) => absolute !== root && ignored(pathOf(absolute)),
  })
  watcher.on('all', (event, absolute) => {
    if (event !== 'addDir' && event !== 'unlinkDir') changed(pathOf(absolute))
  })
  watcher.on('error', thrown => failed(thrown instanceof Error ? thrown : new Error(String(thrown))))
  await new Promise<void>(resolve => watcher.once('ready', resolve))
  return { [Symbol.asyncDispose]: () => watcher.close() }
}

/** Tells the names of the entries of one folder (not of folders in it) as they change. */
export function watchFolder(
  folder: string,
  { changed, failed }: { changed: (name: string) => void; failed: (reason: Error) => void },
): Disposable {
  const watcher = watchWithNode(folder, (_event, name) => changed(name ?? ''))
  watcher.on('error', failed)
  return { [Symbol.dispose]: () => watcher.close() }
}
