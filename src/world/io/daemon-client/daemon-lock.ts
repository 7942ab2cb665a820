import { setTimeout as delay } from 'node:timers/promises'
import { acquireLock, lockHolder, releaseLock } from '../files/lock.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { askDaemon, readDaemonAddress, removeDaemonAddress } from './ask-daemon.ts'
import { momentText } from '../../../core/report/local-time.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { DAEMON_LOCK_RETRY_MS } from '../../../core/base/thresholds.ts'

/** The lock of the one process that records a worktree's changes. */
export type DaemonLock = AsyncDisposable & {
  /** False when the lock file was removed or replaced: then another daemon may be running. */
  isHeld(): Promise<boolean>
}

/**
 * Takes the lock. Throws while another daemon holds it, and takes over the lock of a daemon that has died. A holder
 * without an address may be an agent's hook, which needs the lock for a moment: that one is waited for.
 */
export async function acquireDaemonLock(workspace: Workspace, { waitMsMax = 0 } = {}): Promise<DaemonLock> {
  const lock = ownPath(workspace, 'daemon.lock')
  if (!(await acquireInTime(workspace, lock, waitMsMax))) {
    if (!(await isHolderGone(workspace, await lockHolder(lock)))) throw await alreadyRunningError(workspace)
    await releaseLock(lock)
    if (!(await acquireLock(lock))) throw await alreadyRunningError(workspace)
  }
  const mine = await lockHolder(lock)
  const isHeld = async (): Promise<boolean> => (await lockHolder(lock)) === mine
  return {
    isHeld,
    async [Symbol.asyncDispose]() {
      if (await isHeld()) await releaseLock(lock)
    },
  }
}

async function acquireInTime(workspace: Workspace, lock: string, waitMsMax: number): Promise<boolean> {
  const until = workspace.clock.ticks() + waitMsMax
  while (!(await acquireLock(lock))) {
    if (workspace.clock.ticks() >= until || (await readDaemonAddress(workspace))) return false
    await delay(DAEMON_LOCK_RETRY_MS)
  }
  return true
}

async function alreadyRunningError(workspace: Workspace): Promise<KotefError> {
  const address = await readDaemonAddress(workspace)
  const since = address && momentText(address.since, workspace.clock.now())
  const which = address ? `pid ${address.pid}, since ${since}` : 'it is starting'
  return new KotefError('daemon-running', `A daemon is already watching ${workspace.root}: ${which}.`)
}

// After a restart of the machine, the pid may belong to another program, which has not opened the socket.
async function isHolderGone(workspace: Workspace, holder: string): Promise<boolean> {
  const address = await readDaemonAddress(workspace)
  if (!address || `${address.pid}` !== holder.split(' ')[0]) return false
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (answers) return false
  await removeDaemonAddress(workspace)
  return true
}
