import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { KotefError } from '../report/failure.ts'
import { codeOf } from './files.ts'

/** Does some work while holding a lock file; waits for the holder, and takes over from one that died. */
export async function withLock<T>(
  lockPath: string,
  work: () => Promise<T>,
  { waitMsMax = 5_000 }: { waitMsMax?: number } = {},
): Promise<T> {
  const until = Date.now() + waitMsMax
  let waitMs = 2
  while (!(await acquire(lockPath))) {
    if (Date.now() > until) throw new KotefError('ledger-busy', `${lockPath} is held by ${await holderOf(lockPath)}.`)
    await delay(waitMs)
    waitMs = Math.min(waitMs * 2, 50)
  }
  return work().finally(() => release(lockPath))
}

/** Takes a lock and keeps it; false when a living process holds it. */
export async function acquire(lockPath: string): Promise<boolean> {
  await mkdir(dirname(lockPath), { recursive: true })
  if (await claim(lockPath)) return true
  await removeStale(lockPath)
  return claim(lockPath)
}

/** Lets a lock go. Only its holder may call this. */
export async function release(lockPath: string): Promise<void> {
  await rm(lockPath, { force: true })
}

/** Who holds a lock, as `pid host`; empty when nobody does. */
export async function holderOf(lockPath: string): Promise<string> {
  return readFile(lockPath, 'utf8').catch(() => '')
}

// A hard link makes the lock appear with its content or not at all, so nobody ever reads half a holder.
async function claim(lockPath: string): Promise<boolean> {
  const mine = `${lockPath}.${randomUUID()}`
  await writeFile(mine, `${process.pid} ${hostname()}`, { mode: 0o600 })
  try {
    await link(mine, lockPath)
    return true
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false
    throw thrown
  } finally {
    await rm(mine, { force: true })
  }
}

// Moving aside is atomic: of several that saw the same dead holder, one moves it. One that moved a living lock by
// mistake (it was replaced in between) sees it by the content, and puts it back.
async function removeStale(lockPath: string): Promise<void> {
  const holder = await holderOf(lockPath)
  if (holder === '' || isAlive(holder)) return
  const aside = `${lockPath}.${randomUUID()}`
  await rename(lockPath, aside).catch(() => {})
  if ((await holderOf(aside)) !== holder) await link(aside, lockPath).catch(() => {})
  await rm(aside, { force: true })
}

function isAlive(holder: string): boolean {
  const [pid, host] = holder.split(' ')
  if (host !== hostname()) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM'
  }
}
