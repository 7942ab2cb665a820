import type { Stats } from 'node:fs'
import { relative, sep } from 'node:path'
import { dirname } from 'node:path/posix'
import { setTimeout as delay } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'
import { codeOf } from '../files.ts'
import { isExhausted } from './exhausted.ts'
import { ignoringOf } from './ignored.ts'
import { newcomersTo } from './newcomers.ts'
import type { Watch, Watcher } from './port.ts'

/** Watches through chokidar, by the events of the system. */
export function watchByEvents(root: string, watcher: Watcher): Promise<Watch> {
  return watchByChokidar(root, watcher, {})
}

/** Watches through chokidar, which looks at every file again and again: where the system tells nothing. */
export async function watchByPolling(root: string, watcher: Watcher): Promise<Watch> {
  const interval = Math.max(POLL_MS, (await watcher.files()) / FILES_A_MS)
  const polled = { ...watcher, changed: (path: string) => watcher.changed(path, true) }
  const tree = await watchByChokidar(root, polled, { usePolling: true, interval, binaryInterval: interval })
  // Each file has its turn once an interval, whenever another one was seen to have changed.
  const settled = (): Promise<void> => delay(interval).then(tree.settled)
  return { ...tree, settled }
}

const POLL_MS = 500

// To look at a file takes some 5 microseconds of a core, and more when the disk is far away.
const FILES_A_MS = 20

type Settings = NonNullable<Parameters<typeof watch>[1]>

async function watchByChokidar(root: string, watcher: Watcher, settings: Settings): Promise<Watch> {
  const ignoring = ignoringOf(watcher.globs, await watcher.ignored)
  const pathOf = (absolute: string): string => relative(root, absolute).split(sep).join('/')
  const ignored = (absolute: string): boolean => absolute !== root && ignoring.has(pathOf(absolute))
  const newcomers = newcomersTo(async directories => {
    const found = await watcher.came(directories)
    ignoring.add(found)
    chokidar.unwatch(found.map(it => `${root}/${it}`))
    return found
  })
  const listen = (event: string, absolute: string, stats?: Stats): void => {
    const path = pathOf(absolute)
    if (event === 'unlinkDir') return newcomers.forget(path)
    // Nobody is told that a file went when a directory comes in its place at once.
    if (event.startsWith('add')) newcomers.ask(event === 'addDir' ? path : dirname(path))
    if (event === 'change' && stats?.isDirectory()) return void (renewing = renewed())
    if (event !== 'addDir') void newcomers.admit(path).then(admitted => admitted && watcher.changed(path))
  }
  const open = () => begun(watch(root, { ...OPTIONS, ...settings, ignored }), { watcher, listen })
  const renewed = async (): Promise<void> => {
    await renewing
    await chokidar.close()
    chokidar = await open()
    watcher.overflowed()
  }
  let renewing: Promise<void> = Promise.resolve()
  let chokidar = await open()
  return {
    ignore(paths) {
      ignoring.replace(paths)
      renewing = renewed()
    },
    async settled() {
      await renewing
      await newcomers.settled()
    },
    async [Symbol.asyncDispose]() {
      await renewing
      await chokidar.close()
    },
  }
}

const OPTIONS = { ignoreInitial: true, followSymlinks: false, atomic: false } as const

type Ears = {
  readonly watcher: Watcher
  readonly listen: (event: string, absolute: string, stats?: Stats) => void
}

async function begun(chokidar: FSWatcher, { watcher, listen }: Ears): Promise<FSWatcher> {
  const blinded = new Set<string>()
  chokidar.on('error', thrown => {
    const reason = thrown instanceof Error ? thrown : new Error(String(thrown))
    const code = codeOf(reason)
    if (!isExhausted(code)) return watcher.failed(reason)
    blinded.add(reason.message)
    watcher.blind(blinded.size, code)
  })
  await new Promise<void>(resolve => chokidar.once('ready', resolve))
  return chokidar.on('all', listen)
}
