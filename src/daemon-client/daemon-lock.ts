import { setTimeout as delay } from 'node:timers/promises'
import { acquireLock, lockHolder, releaseLock } from '../io/files/lock.ts'
import { KotefError } from '../findings/failure.ts'
import { askDaemon } from './ask-daemon.ts'
import { readDaemonAddress, removeDaemonAddress } from './daemon-address.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The one post that a worktree has, of whoever records what changes in it. */
export type DaemonLock = AsyncDisposable & {
  /** False when somebody took the lock away, and another daemon may be here by now. */
  isHeld(): Promise<boolean>
}

/**
 * Takes the one post that a worktree has. Refused while another daemon holds it; a dead one's is taken over. One who
 * has no address yet may be an agent's hook, which is soon done, and is waited for.
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
    await delay(LOCK_RETRY_MS)
  }
  return true
}

const LOCK_RETRY_MS = 10

async function alreadyRunningError(workspace: Workspace): Promise<KotefError> {
  const address = await readDaemonAddress(workspace)
  const who = address ? `pid ${address.pid}, since ${address.since}` : 'it is just starting'
  return new KotefError('daemon-running', `A daemon is already watching ${workspace.root}: ${who}.`)
}

// After a kill and a restart of the machine the process number may live again as somebody else, who opened no socket.
async function isHolderGone(workspace: Workspace, holder: string): Promise<boolean> {
  const address = await readDaemonAddress(workspace)
  if (!address || `${address.pid}` !== holder.split(' ')[0]) return false
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (answers) return false
  await removeDaemonAddress(workspace)
  return true
}
