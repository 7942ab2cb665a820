import type { Stats } from 'node:fs'
import { relative, sep } from 'node:path'
import { dirname } from 'node:path/posix'
import { setTimeout as delay } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'
import { systemErrorCode } from '../files/files.ts'
import { ignoredPathsOf, isWatchLimit, type TreeWatch, type WatchListener } from './port.ts'
import { FILES_POLLED_PER_MS, POLL_MS_MIN } from '../../../core/base/thresholds.ts'

/** Watches through chokidar, by the events of the system. */
export function watchByEvents(root: string, listener: WatchListener): Promise<TreeWatch> {
  return watchByChokidar(root, listener, {})
}

/** Watches through chokidar by polling every file, for disks that report no events. */
export async function watchByPolling(root: string, listener: WatchListener): Promise<TreeWatch> {
  const interval = Math.max(POLL_MS_MIN, (await listener.fileCount()) / FILES_POLLED_PER_MS)
  const polled = { ...listener, changed: (path: string) => listener.changed(path, true) }
  const tree = await watchByChokidar(root, polled, { usePolling: true, interval, binaryInterval: interval })
  // Each file is polled once an interval, so after one interval every change has been seen.
  const settled = (): Promise<void> => delay(interval).then(tree.settled)
  return { ...tree, settled }
}

type ChokidarSettings = NonNullable<Parameters<typeof watch>[1]>

async function watchByChokidar(root: string, listener: WatchListener, settings: ChokidarSettings): Promise<TreeWatch> {
  const ignoredPaths = ignoredPathsOf(listener.globs, await listener.ignored)
  const pathOf = (absolute: string): string => relative(root, absolute).split(sep).join('/')
  const ignored = (absolute: string): boolean => absolute !== root && ignoredPaths.has(pathOf(absolute))
  const newDirectories = trackNewDirectories(async directories => {
    const found = await listener.directoriesAdded(directories)
    ignoredPaths.add(found)
    chokidar.unwatch(found.map(it => `${root}/${it}`))
    return found
  })
  const onEvent = (event: string, absolute: string, stats?: Stats): void => {
    const path = pathOf(absolute)
    if (event === 'unlinkDir') return newDirectories.forget(path)
    // chokidar reports no removal of a file that a directory replaces at once.
    if (event.startsWith('add')) newDirectories.ask(event === 'addDir' ? path : dirname(path))
    if (event === 'change' && stats?.isDirectory()) return void (reopening = reopen())
    if (event !== 'addDir') void newDirectories.admit(path).then(admitted => admitted && listener.changed(path))
  }
  const open = () => whenReady(watch(root, { ...CHOKIDAR_OPTIONS, ...settings, ignored }), { listener, onEvent })
  const reopen = async (): Promise<void> => {
    await reopening
    await chokidar.close()
    chokidar = await open()
    listener.overflowed()
  }
  let reopening: Promise<void> = Promise.resolve()
  let chokidar = await open()
  return {
    ignore(paths) {
      ignoredPaths.replace(paths)
      reopening = reopen()
    },
    async settled() {
      await reopening
      await newDirectories.settled()
    },
    async [Symbol.asyncDispose]() {
      await reopening
      await chokidar.close()
    },
  }
}

const CHOKIDAR_OPTIONS = { ignoreInitial: true, followSymlinks: false, atomic: false } as const

type EventTargets = {
  readonly listener: WatchListener
  readonly onEvent: (event: string, absolute: string, stats?: Stats) => void
}

async function whenReady(chokidar: FSWatcher, { listener, onEvent }: EventTargets): Promise<FSWatcher> {
  const unwatched = new Set<string>()
  chokidar.on('error', thrown => {
    const reason = thrown instanceof Error ? thrown : new Error(String(thrown))
    const code = systemErrorCode(reason)
    if (!isWatchLimit(code)) return listener.failed(reason)
    unwatched.add(reason.message)
    listener.unwatched(unwatched.size, code)
  })
  await new Promise<void>(resolve => chokidar.once('ready', resolve))
  return chokidar.on('all', onEvent)
}

/** New directories, for which git is asked whether it ignores them. Many at once are one question. */
type NewDirectories = {
  /** Asks about a directory and its parents, once for each. */
  ask(directory: string): void
  /** The directory was removed. */
  forget(directory: string): void
  /** Resolves to true when neither the path nor a parent of it is ignored. */
  admit(path: string): Promise<boolean>
  settled(): Promise<void>
}

/** Tracks new directories. `askIgnored` returns those that are ignored. */
function trackNewDirectories(
  askIgnored: (directories: readonly string[]) => Promise<readonly string[]>,
): NewDirectories {
  const answers = new Map<string, Promise<boolean>>()
  let batch: { readonly directories: string[]; readonly ignored: Promise<ReadonlySet<string>> } | null = null
  const openBatch = () => {
    const directories: string[] = []
    const ignored = new Promise(resolve => setImmediate(resolve)).then(async () => {
      batch = null
      return new Set(await askIgnored(directories).catch(() => []))
    })
    return { directories, ignored }
  }
  return {
    ask(directory) {
      for (const path of pathAndParents(directory).filter(it => !answers.has(it))) {
        batch ??= openBatch()
        batch.directories.push(path)
        const { ignored } = batch
        answers.set(
          path,
          ignored.then(it => !it.has(path)),
        )
      }
    },
    forget: directory => void answers.delete(directory),
    admit: async path =>
      (await Promise.all(pathAndParents(path).map(async it => answers.get(it) ?? true))).every(Boolean),
    async settled() {
      await Promise.all(answers.values())
    },
  }
}

/** A path and its parents, without the root. */
function pathAndParents(path: string): string[] {
  return path === '.' || path === '' ? [] : [path, ...pathAndParents(dirname(path))]
}
