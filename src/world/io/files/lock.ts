import { link, lstat, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { KotefError } from '../../../core/base/failure.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import { isProcessAlive } from '../process/processes.ts'
import { inFolder, makeParentFolder, systemErrorCode } from './files.ts'
import { EMPTY_LOCK_MS_MAX, NOTICED_WAIT_MS } from '../../../core/base/thresholds.ts'
import { readRegularFile } from './regular-file.ts'

type LockWait = {
  readonly waitMsMax?: number
  /** Called once, with the holder in words, after a wait that somebody notices. */
  readonly onWait?: (holder: string) => void
  /** Makes the folder of the lock, where it is not there. */
  readonly makeFolder?: (lockPath: string) => Promise<void>
}

/** Does some work while holding a lock file. Waits for a living holder, and takes over from a dead one. */
export async function withLock<T>(
  lockPath: string,
  work: () => Promise<T>,
  { waitMsMax = 5_000, onWait, makeFolder }: LockWait = {},
): Promise<T> {
  const from = Date.now()
  let waitMs = 2
  let tell = onWait
  while (!(await acquireLock(lockPath, makeFolder))) {
    if (Date.now() - from > waitMsMax) throw await lockBusyFailure(lockPath)
    if (tell && Date.now() - from > NOTICED_WAIT_MS) {
      tell(await holderInWords(lockPath))
      tell = undefined
    }
    await delay(waitMs)
    waitMs = Math.min(waitMs * 2, 50)
  }
  return work().finally(() => releaseLock(lockPath))
}

/** Takes a lock and keeps it; false when a living process holds it. */
export async function acquireLock(lockPath: string, makeFolder = makeParentFolder): Promise<boolean> {
  const create = (): Promise<boolean> => createLock(lockPath)
  if (await inFolder(() => makeFolder(lockPath), create)) return true
  await removeStale(lockPath)
  return create()
}

/** Releases a lock. Only its holder may call this. */
export async function releaseLock(lockPath: string): Promise<void> {
  await rm(lockPath, { force: true })
}

/** The holder of a lock, as `pid host`; empty when the lock is free. */
export async function lockHolder(lockPath: string): Promise<string> {
  return readRegularFile(lockPath).then(
    it => it.toString('utf8'),
    () => '',
  )
}

/** The state of a lock: its holder lives (or is on another host), is dead, or is not named in the file (damaged). */
export async function lockState(lockPath: string): Promise<'none' | 'held' | 'dead' | 'damaged'> {
  const found = await lstat(lockPath).catch(() => null)
  if (!found) return 'none'
  const holder = await lockHolder(lockPath)
  if (HOLDER.test(holder)) return isHolderAlive(holder) ? 'held' : 'dead'
  // Absolute, because the clock may have been set back since.
  return Math.abs(Date.now() - found.mtimeMs) > EMPTY_LOCK_MS_MAX ? 'damaged' : 'held'
}

const HOLDER = /^\d+ \S+$/

async function lockBusyFailure(lockPath: string): Promise<KotefError> {
  const hint = `Try again. When that process is gone for good, remove the lock: \`rm ${shellQuoted(lockPath)}\``
  return new KotefError('ledger-busy', `${lockPath} is held by ${await holderInWords(lockPath)}.`, { hint })
}

async function holderInWords(lockPath: string): Promise<string> {
  const [pid, host] = (await lockHolder(lockPath)).split(' ')
  return pid && host ? `process ${pid} on ${host}` : 'nobody that it names'
}

// A hard link makes the lock appear with its content or not at all, so no process reads half a holder.
async function createLock(lockPath: string): Promise<boolean> {
  const mine = besideLock(lockPath)
  try {
    await writeFile(mine, `${process.pid} ${hostname()}`, { mode: 0o600 })
    await link(mine, lockPath)
    return true
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') return false
    throw thrown
  } finally {
    await rm(mine, { force: true })
  }
}

// Two processes can have one id, in two containers, but not at the same nanosecond.
function besideLock(lockPath: string): string {
  return `${lockPath}.${process.pid}.${process.hrtime.bigint()}`
}

// A rename is atomic: of several processes that saw the same dead holder, one moves the file. If the lock was replaced
// in between, that process sees another content, and puts the living lock back.
async function removeStale(lockPath: string): Promise<void> {
  const holder = await lockHolder(lockPath)
  const state = await lockState(lockPath)
  if (state !== 'dead' && state !== 'damaged') return
  const aside = besideLock(lockPath)
  await rename(lockPath, aside).catch(() => {})
  if ((await lockHolder(aside)) !== holder) await link(aside, lockPath).catch(() => {})
  await rm(aside, { force: true, recursive: true })
}

function isHolderAlive(holder: string): boolean {
  const [pid, host] = holder.split(' ')
  return host !== hostname() || isProcessAlive(Number(pid))
}
