import { statfs } from 'node:fs/promises'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../files/files.ts'
import { watchByEvents, watchByPolling } from './chokidar.ts'
import { watchDirectories, type WatchThread } from './directories.ts'
import { isWatchLimit, type TreeWatch, type WatchBackend, watchLimitFix, type WatchListener } from './port.ts'

const backendsWith = (early: WatchThread | null) => ({
  chokidar: watchByEvents,
  directories: (root: string, listener: WatchListener) => watchDirectories(root, listener, early),
  polling: watchByPolling,
})

export type BackendName = keyof ReturnType<typeof backendsWith>

/** The configured backend, and a thread that watches already. */
type WatchWish = { readonly wish: BackendName | 'auto'; readonly early: WatchThread | null }

/** Watches a directory by the configured backend. If it can't, that is reported once, and another backend watches. */
export async function watchTree(root: string, listener: WatchListener, { wish, early }: WatchWish): Promise<TreeWatch> {
  const { name, why } = chooseBackend(wish, { platform: process.platform, silentDisk: await silentDiskAt(root) })
  if (why !== null) listener.failed(watchLimitedFailure(why))
  const backend: WatchBackend = backendsWith(early)[name]
  if (name !== 'directories') void early?.thread.terminate()
  const careful = { ...listener, unwatched: reportUnwatchedOnce(listener) }
  try {
    return await backend(root, careful)
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (!isWatchLimit(code)) throw thrown
    listener.failed(watchLimitedFailure(`The system gives kotef no watch (${code}), so it polls.`, watchLimitFix(code)))
    return watchByPolling(root, listener)
  }
}

type WatchEnvironment = { readonly platform: NodeJS.Platform; readonly silentDisk: string | null }

/** The backend for a configured name, and a message when it differs from that name. */
export function chooseBackend(
  wish: BackendName | 'auto',
  { platform, silentDisk }: WatchEnvironment,
): { readonly name: BackendName; readonly why: string | null } {
  const onLinux = platform === 'linux'
  if (wish === 'directories' && !onLinux)
    return {
      name: 'chokidar',
      why: '`watch.backend: directories` works on Linux alone: chokidar watches instead.',
    }
  if (wish !== 'auto') return { name: wish, why: null }
  if (!onLinux) return { name: 'chokidar', why: null }
  if (silentDisk === null) return { name: 'directories', why: null }
  const why =
    `The worktree lies on ${silentDisk}, which reports no writes of other machines: kotef polls, which is slower. ` +
    'If only this machine writes there, put `watch: { backend: directories }` into .orchestration/config.yaml'
  return { name: 'polling', why }
}

function reportUnwatchedOnce(listener: WatchListener): WatchListener['unwatched'] {
  let reported = false
  return (directories, code) => {
    if (directories > 0 && !reported)
      listener.failed(watchLimitedFailure(partlyUnwatchedMessage(directories, code), watchLimitFix(code)))
    reported = directories > 0
    listener.unwatched(directories, code)
  }
}

function partlyUnwatchedMessage(directories: number, code: string): string {
  return `${directories} directories can't be watched (${code}): kotef asks git every few seconds what changed there.`
}

function watchLimitedFailure(message: string, fix?: string): KotefError {
  if (fix === undefined) return new KotefError('watch-limited', message)
  return new KotefError('watch-limited', `${message} More: ${fix}`, { hint: fix })
}

/** The kind of the disk at a path if it reports no events for writes of other machines; null for any other disk. */
async function silentDiskAt(path: string): Promise<string | null> {
  const type = await statfs(path).then(
    it => it.type,
    () => 0,
  )
  return silentDisk(type)
}

/** The name of such a kind of disk, by the type number of statfs(2). */
export function silentDisk(type: number): string | null {
  return SILENT_DISKS.get(type >>> 0) ?? null
}

// The numbers are those of Linux' include/uapi/linux/magic.h; drvfs, vmhgfs, prl_fs and Lustre have theirs in their own
// sources. sshfs and virtiofs have the number of FUSE. On other systems than Linux the numbers have other meanings.
const SILENT_DISKS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x53464846, 'drvfs'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x7c7c6673, 'prl_fs'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x7461636f, 'OCFS2'],
])
