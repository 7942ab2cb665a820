import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { KotefError } from '../../findings/failure.ts'
import { shellQuoted } from '../../text/printable.ts'
import { isProcessAlive } from '../process/process-alive.ts'
import { systemErrorCode } from './files.ts'

/** Does some work while holding a lock file; waits for the holder, and takes over from one that died. */
export async function withLock<T>(
  lockPath: string,
  work: () => Promise<T>,
  { waitMsMax = 5_000 }: { waitMsMax?: number } = {},
): Promise<T> {
  const until = Date.now() + waitMsMax
  let waitMs = 2
  while (!(await acquireLock(lockPath))) {
    if (Date.now() > until) throw await lockBusyFailure(lockPath)
    await delay(waitMs)
    waitMs = Math.min(waitMs * 2, 50)
  }
  return work().finally(() => releaseLock(lockPath))
}

/** Takes a lock and keeps it; false when a living process holds it. */
export async function acquireLock(lockPath: string): Promise<boolean> {
  await makeParentFolder(lockPath)
  if (await createLock(lockPath)) return true
  await removeStale(lockPath)
  return createLock(lockPath)
}

/** Lets a lock go. Only its holder may call this. */
export async function releaseLock(lockPath: string): Promise<void> {
  await rm(lockPath, { force: true })
}

/** Who holds a lock, as `pid host`; empty when nobody does. */
export async function lockHolder(lockPath: string): Promise<string> {
  return readFile(lockPath, 'utf8').catch(() => '')
}

/** How a lock file stands: its holder lives (or can't be asked), is dead, or nobody can tell who it is. */
export async function lockState(lockPath: string): Promise<'none' | 'held' | 'dead' | 'damaged'> {
  const found = await stat(lockPath).catch(() => null)
  if (!found) return 'none'
  const holder = await lockHolder(lockPath)
  if (HOLDER.test(holder)) return isHolderAlive(holder) ? 'held' : 'dead'
  // The clock may have been set back since.
  return Math.abs(Date.now() - found.mtimeMs) > DAMAGED_AFTER_MS ? 'damaged' : 'held'
}

const HOLDER = /^\d+ \S+$/

// Nobody writes a lock in place, so what is no holder comes from a crash; the wait is for other programs' sake.
const DAMAGED_AFTER_MS = 2_000

async function lockBusyFailure(lockPath: string): Promise<KotefError> {
  const [pid, host] = (await lockHolder(lockPath)).split(' ')
  const holder = pid && host ? `process ${pid} on ${host}` : 'nobody that it names'
  const hint = `Try again. When that process is gone for good, remove the lock: \`rm ${shellQuoted(lockPath)}\``
  return new KotefError('ledger-busy', `${lockPath} is held by ${holder}.`, { hint })
}

// The folder above must be there: a git directory that was moved away is not made again by who was slow to notice.
async function makeParentFolder(lockPath: string): Promise<void> {
  await mkdir(dirname(lockPath)).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'EEXIST') throw thrown
  })
}

// A hard link makes the lock appear with its content or not at all, so nobody ever reads half a holder. The content
// is on the disk before, so that a crash of the machine leaves no empty lock.
async function createLock(lockPath: string): Promise<boolean> {
  const mine = `${lockPath}.${randomUUID()}`
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

// Moving aside is atomic: of several that saw the same dead holder, one moves it. One that moved a living lock by
// mistake (it was replaced in between) sees it by the content, and puts it back.
async function removeStale(lockPath: string): Promise<void> {
  const holder = await lockHolder(lockPath)
  const state = await lockState(lockPath)
  if (state !== 'dead' && state !== 'damaged') return
  const aside = `${lockPath}.${randomUUID()}`
  await rename(lockPath, aside).catch(() => {})
  if ((await lockHolder(aside)) !== holder) await link(aside, lockPath).catch(() => {})
  await rm(aside, { force: true, recursive: true })
}

function isHolderAlive(holder: string): boolean {
  const [pid, host] = holder.split(' ')
  return host !== hostname() || isProcessAlive(Number(pid))
}
